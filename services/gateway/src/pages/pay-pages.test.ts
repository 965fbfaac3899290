import { AppError, conflict, notFound, type PayPage, unavailable } from '@cds/contracts';
import { aPayPage, PAY_PAGES } from '@cds/pages/testing';
import { describe, expect, test } from '@jest/globals';
import { makeBrand } from '../test/edge-app.js';
import { type Ask, ask, type HttpAnswer } from '../test/http.js';
import { testEdge } from '../test/suite.js';

const TOKEN = 'a'.repeat(43);

const shown = (over: Partial<PayPage> = {}): PayPage => aPayPage({ company: 'Acme <script>', ...over });

describe('the pay page (docs/domain/orders.md#payment-link)', () => {
  const edge = testEdge('gateway_pay');

  const get = (path = '', headers: Record<string, string> = {}) => ask(edge.url, `/pay/${TOKEN}${path}`, { headers });
  const form = (path: string, fields: Record<string, string>, headers: Ask['headers'] = {}): Promise<HttpAnswer> =>
    ask(edge.url, `/pay/${TOKEN}${path}`, {
      method: 'POST',
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  test('is not indexed, not cached, sends no referrer and runs no script', async () => {
    edge.answer('pay_page', () => shown());
    const { headers } = await get();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https:\/\/checkout\.stripe\.com; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('ratelimit-limit')).toBe('120');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('shows company, campaign and total, who sells, who signed, what is bought, the terms and whom to ask', async () => {
    edge.answer('pay_page', () => shown({ sandbox: true }));
    const { text } = await get();
    expect(text).not.toContain('<script');
    for (const words of [
      'Acme &lt;script&gt;',
      'Acme, launch, March 2027',
      '$12,345.00',
      'Waiting for payment',
      '5 December 2026',
      'This is a test order. No real money moves.',
      'CDS-0B6CBB3E',
      'Creator Distribution Ltd',
      '1 Harbour Street',
      'by an API key',
      '21 Nov 2026, 14:03:09 UTC',
      '3 threads',
      '1 March 2027 to 14 March 2027',
      'href="/terms/brand/2026-11-01"',
      'cancelled at no cost',
      'Refunds go back the way the money came.',
      'href="mailto:billing@seller.example"',
      '>Pay by card</button>',
      '>Pay by bank transfer</button>',
    ])
      expect(text).toContain(words);
    edge.answer('pay_page', () => shown());
    expect((await get()).text).not.toContain('No real money moves');
  });

  test('names the key that signed by its name here', async () => {
    const brand = await makeBrand(edge);
    const over = { workspace: brand.workspaces.live, key_id: brand.ids['full'] ?? '' };
    edge.answer('pay_page', () => shown(over));
    expect((await get()).text).toContain('the API key “full”');
    edge.answer('pay_page', () => shown({ ...over, workspace: brand.workspaces.sandbox }));
    expect((await get()).text).toContain('by an API key');
  });

  test('has no button while an invoice waits for its transfer', async () => {
    edge.answer('pay_page', () => shown(PAY_PAGES['invoice-sent']));
    const { text } = await get();
    expect(text).toContain('IBAN IE29 AIBK 9311 5212 3456 78');
    expect(text).not.toContain('<form');
  });

  test.each([
    ['above-cards', 'Card payments end at $999,999.99; pay by bank transfer.'],
    ['below-cards', 'Card payments begin at $0.50; pay by bank transfer.'],
  ])('of an order that no card can pay offers the transfer alone, and says why: %s', async (state, words) => {
    for (const session of [null, { generation: 1, state: 'opening' }]) {
      edge.answer('pay_page', () => shown({ ...PAY_PAGES[state], session }));
      const { text } = await get();
      expect(text).toContain(words);
      expect(text).toContain('>Pay by bank transfer</button>');
      expect(text).not.toContain('card payment was started');
      expect(text).not.toContain(`action="/pay/${TOKEN}/checkout"`);
    }
    edge.answer('pay_page', () => shown());
    expect((await get()).text).not.toContain('Card payments end');
  });

  test('an unknown token is a 404 page, and a malformed one makes no call', async () => {
    edge.answer('pay_page', () => {
      throw notFound('payment link');
    });
    expect((await get()).status).toBe(404);
    const before = edge.sent.length;
    const short = await ask(edge.url, '/pay/abc');
    expect([short.status, short.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(edge.sent.length).toBe(before);
  });

  test('Pay redirects to the rail by 303', async () => {
    edge.answer('pay_checkout', (_ctx, input) => ({
      url: `https://checkout.stripe.com/${String(input['form_token'])}`,
    }));
    const answer = await form('/checkout', { form_token: 'form-token' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://checkout.stripe.com/form-token']);
  });

  test('while the rail is unavailable, the page says so and keeps the button', async () => {
    edge.answer('pay_page', () => shown());
    edge.answer('pay_checkout', () => {
      throw unavailable('m');
    });
    const answer = await form('/checkout', { form_token: 'form-token' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(answer.text).toContain('does not answer');
    expect(answer.text).toContain(`action="/pay/${TOKEN}/checkout"`);
  });

  test('what is refused is an error page with a link back', async () => {
    edge.answer('pay_checkout', () => {
      throw conflict('bad_state', 'There is nothing to pay.');
    });
    const answer = await form('/checkout', { form_token: 'x' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(`href="/pay/${TOKEN}"`);
  });

  test('choosing another rail leads back to the page', async () => {
    edge.answer('pay_rail', () => shown({ rail: 'invoice' }));
    const answer = await form('/rail', { form_token: 'form-token', rail: 'invoice' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${TOKEN}`]);
    expect(edge.sent.at(-1)?.input).toEqual({ token: TOKEN, form_token: 'form-token', rail: 'invoice' });
  });

  describe('the details of an invoice', () => {
    const DETAILS = {
      legal_name: 'Acme <GmbH>',
      address: 'Seestraße 1\n88662 Überlingen',
      tax_id: '',
      purchase_order: 'PO-7',
    };

    test('go to billing, and lead back to the page', async () => {
      edge.answer('pay_invoice', () => shown(PAY_PAGES['invoice-requested']));
      const answer = await form('/invoice', { form_token: 'form-token', ...DETAILS });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${TOKEN}`]);
      expect(edge.sent.at(-1)?.input).toEqual({ token: TOKEN, form_token: 'form-token', details: DETAILS });
    });

    test.each(['details.legal_name', 'legal_name'])('are shown again with what is wrong at %s', async (field) => {
      edge.answer('pay_page', () => shown({ rail: 'invoice' }));
      edge.answer('pay_invoice', () => {
        throw new AppError('unprocessable', 'm', { problems: [{ field, message: 'is required' }] });
      });
      const answer = await form('/invoice', { form_token: 'form-token', ...DETAILS });
      expect(answer.status).toBe(422);
      for (const words of [
        'One thing needs your attention',
        'href="#legal_name"',
        'Is required.</p>',
        'aria-invalid="true"',
        'value="Acme &lt;GmbH&gt;"',
        'Seestraße 1\n88662 Überlingen</textarea>',
        'value="PO-7"',
      ])
        expect(answer.text).toContain(words);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    });
  });

  describe('documents', () => {
    test.each([
      ['invoice', 'invoice-sent', 'Invoice 2026-0042'],
      ['receipt', 'paid', 'Receipt for order CDS-0B6CBB3E'],
    ])('the %s of an order that is %s is a page and a file', async (name, state, words) => {
      edge.answer('pay_page', () => shown(PAY_PAGES[state]));
      const page = await get(`/${name}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain(words);
      expect(page.text).not.toContain('<script');
      const file = await get(`/${name}.pdf`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toBe('application/pdf');
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}-CDS-0B6CBB3E.pdf"`);
      expect(file.text.slice(0, 8)).toBe('%PDF-1.7');
      for (const { headers } of [page, file]) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-robots-tag')).toContain('noindex');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
      }
    });

    test('that an order does not have are not found', async () => {
      edge.answer('pay_page', () => shown());
      for (const path of ['/invoice', '/invoice.pdf', '/receipt', '/receipt.pdf']) {
        const answer = await get(path);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      }
    });
  });

  test('the sandbox checkout has its four buttons, and a live order has no such page', async () => {
    edge.answer('pay_page', () => shown({ sandbox: true, session: { generation: 1, state: 'open' } }));
    const { text } = await get('/sandbox');
    for (const label of ['Pay', 'Decline', 'Pay with delay', 'Let it expire'])
      expect(text).toContain(`>${label}</button>`);
    edge.answer('pay_page', () => shown());
    expect((await get('/sandbox')).status).toBe(404);
  });

  test('a button of the sandbox checkout goes to billing', async () => {
    edge.answer('pay_sandbox', () => shown({ sandbox: true, payment_state: 'paid' }));
    expect((await form('/sandbox', { form_token: 'f', button: 'pay' })).status).toBe(303);
    expect(edge.sent.at(-1)?.input).toEqual({ token: TOKEN, form_token: 'f', button: 'pay' });
  });
});

describe('rail callbacks (docs/reliability.md#payment-events)', () => {
  const edge = testEdge('gateway_rail');
  const deliver = (raw: string, headers: Record<string, string> = {}) =>
    ask(edge.url, '/api/rails/stripe/events', { method: 'POST', raw, headers });

  test('the raw bytes and the signature reach billing', async () => {
    edge.answer('rail_event', () => ({ received: true }));
    const answer = await deliver('{ "a":1 }', { 'stripe-signature': 't=1,v1=ab', 'content-type': 'application/json' });
    expect([answer.status, answer.json]).toEqual([200, { received: true }]);
    expect(edge.sent.at(-1)?.input).toEqual({
      rail: 'stripe',
      raw_base64: Buffer.from('{ "a":1 }').toString('base64'),
      signature: 't=1,v1=ab',
    });
  });

  test.each([
    ['a bad signature', new AppError('bad_request', 'm'), 400],
    ['billing being unavailable', unavailable('m'), 503],
  ])('%s', async (_name, error, status) => {
    edge.answer('rail_event', () => {
      throw error;
    });
    expect((await deliver('x')).status).toBe(status);
  });

  test('more than 256 KiB is 400', async () => {
    expect((await deliver('x'.repeat(256 * 1024 + 1))).status).toBe(400);
  });
});
