import { AppError, conflict, notFound, type PayPage, unavailable } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EdgeApp, startEdgeApp } from '../test/edge-app.js';
import { type Ask, ask, type Heard } from '../test/http.js';

const TOKEN = 'a'.repeat(43);

const shown = (over: Partial<PayPage> = {}): PayPage => ({
  order_id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  sandbox: false,
  company: 'Acme <script>',
  campaign: 'Acme, launch, March 2027',
  posts: 12,
  total_cents: 1_234_500,
  currency: 'USD',
  payment_state: 'unpaid',
  rail: 'checkout',
  options: [
    { rail: 'checkout', label: 'Card checkout', clears: 'At once' },
    { rail: 'invoice', label: 'Invoice by bank transfer', clears: 'When the team marks it paid' },
  ],
  pay_by: '2026-12-05',
  form_token: 'form-token',
  session: null,
  ...over,
});

describe('the pay page (domain 3-orders 6.3)', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_pay');
  });
  afterAll(() => edge.stop());

  const get = (path = '', headers: Record<string, string> = {}) => ask(edge.url, `/pay/${TOKEN}${path}`, { headers });
  const form = (path: string, fields: Record<string, string>, headers: Ask['headers'] = {}): Promise<Heard> =>
    ask(edge.url, `/pay/${TOKEN}${path}`, {
      method: 'POST',
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  test('shows company, campaign, posts, total, state and pay-by day, every value escaped', async () => {
    edge.answer('pay_page', () => shown());
    const { text } = await get();
    for (const words of [
      'Acme &lt;script&gt;',
      'Acme, launch, March 2027',
      '12',
      '$12,345.00',
      'Waiting for payment',
      '5 December 2026',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script');
  });

  test('is indexed by nobody, kept by nobody, sends no referrer and runs nothing', async () => {
    edge.answer('pay_page', () => shown());
    const { headers } = await get();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers.get('ratelimit-limit')).toBe('120');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  test.each([
    ['paid', {}, 'Paid'],
    ['cancelled', {}, 'Cancelled'],
    ['processing', { options: [] }, 'Payment on its way'],
  ])('has no button once %s', async (state, over, words) => {
    edge.answer('pay_page', () => shown({ payment_state: state, ...over }));
    const { text } = await get();
    expect(text).toContain(words);
    expect(text).not.toContain('<form');
  });

  test('an unknown token is a 404 page, and one of another form asks nobody', async () => {
    edge.answer('pay_page', () => {
      throw notFound('payment link');
    });
    expect((await get()).status).toBe(404);
    const before = edge.sent.length;
    const short = await ask(edge.url, '/pay/abc');
    expect([short.status, short.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(edge.sent.length).toBe(before);
  });

  test('Pay leads on to the rail by 303', async () => {
    edge.answer('pay_checkout', (_ctx, input) => ({
      url: `https://checkout.stripe.com/${String(input['form_token'])}`,
    }));
    const heard = await form('/checkout', { form_token: 'form-token' });
    expect([heard.status, heard.headers.get('location')]).toEqual([303, 'https://checkout.stripe.com/form-token']);
  });

  test('with the rail away the page says so and keeps the button', async () => {
    edge.answer('pay_page', () => shown());
    edge.answer('pay_checkout', () => {
      throw unavailable('m');
    });
    const heard = await form('/checkout', { form_token: 'form-token' });
    expect([heard.status, heard.headers.get('retry-after')]).toEqual([503, '60']);
    expect(heard.text).toContain('does not answer');
    expect(heard.text).toContain(`action="/pay/${TOKEN}/checkout"`);
  });

  test.each([
    ['nothing to pay', conflict('bad_state', 'There is nothing to pay.'), 409],
    ['a foreign form', new AppError('forbidden', 'm'), 403],
  ])('%s is a page with a way back', async (_name, error, status) => {
    edge.answer('pay_checkout', () => {
      throw error;
    });
    const heard = await form('/checkout', { form_token: 'x' });
    expect(heard.status).toBe(status);
    expect(heard.text).toContain(`href="/pay/${TOKEN}"`);
  });

  test('a form from another site is 403, before anything is asked', async () => {
    const before = edge.sent.length;
    const heard = await form('/checkout', { form_token: 'x' }, { origin: 'https://evil.example' });
    expect([heard.status, heard.headers.get('ratelimit-limit')]).toEqual([403, null]);
    expect(edge.sent.length).toBe(before);
  });

  test('another rail is chosen and the page shown again', async () => {
    edge.answer('pay_rail', () => shown({ rail: 'invoice' }));
    const heard = await form('/rail', { form_token: 'form-token', rail: 'invoice' });
    expect([heard.status, heard.headers.get('location')]).toEqual([303, `/pay/${TOKEN}`]);
    expect(edge.sent.at(-1)?.input).toEqual({ token: TOKEN, form_token: 'form-token', rail: 'invoice' });
  });

  test('the sandbox checkout has its four buttons, and a live order none of it', async () => {
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

describe('rail callbacks (reliability 3.10)', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_rail');
  });
  afterAll(() => edge.stop());
  const deliver = (raw: string, headers: Record<string, string> = {}) =>
    ask(edge.url, '/api/rails/stripe/events', { method: 'POST', raw, headers });

  test('the raw bytes and the signature reach billing', async () => {
    edge.answer('rail_event', () => ({ received: true }));
    const heard = await deliver('{ "a":1 }', { 'stripe-signature': 't=1,v1=ab', 'content-type': 'application/json' });
    expect([heard.status, heard.json]).toEqual([200, { received: true }]);
    expect(edge.sent.at(-1)?.input).toEqual({
      rail: 'stripe',
      raw_base64: Buffer.from('{ "a":1 }').toString('base64'),
      signature: 't=1,v1=ab',
    });
  });

  test.each([
    ['a bad signature', new AppError('bad_request', 'm'), 400],
    ['billing away', unavailable('m'), 503],
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
