import { AppError, conflict, notFound, type PayPage, unavailable } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EdgeApp, startEdgeApp } from '../test/edge-app.js';
import { type Ask, ask, type HttpAnswer } from '../test/http.js';

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

describe('the pay page (docs/domain/orders.md#payment-link)', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_pay');
  });
  afterAll(() => edge.stop());

  const get = (path = '', headers: Record<string, string> = {}) => ask(edge.url, `/pay/${TOKEN}${path}`, { headers });
  const form = (path: string, fields: Record<string, string>, headers: Ask['headers'] = {}): Promise<HttpAnswer> =>
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

  test('is not indexed, not cached, sends no referrer and runs no script', async () => {
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
    ['processing', { options: [] }, 'Payment processing'],
  ])('has no button once %s', async (state, over, words) => {
    edge.answer('pay_page', () => shown({ payment_state: state, ...over }));
    const { text } = await get();
    expect(text).toContain(words);
    expect(text).not.toContain('<form');
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

  test.each([
    ['nothing to pay', conflict('bad_state', 'There is nothing to pay.'), 409],
    ['a foreign form', new AppError('forbidden', 'm'), 403],
  ])('%s is an error page with a link back', async (_name, error, status) => {
    edge.answer('pay_checkout', () => {
      throw error;
    });
    const answer = await form('/checkout', { form_token: 'x' });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`href="/pay/${TOKEN}"`);
  });

  test('a form from another site is 403, before any call', async () => {
    const before = edge.sent.length;
    const answer = await form('/checkout', { form_token: 'x' }, { origin: 'https://evil.example' });
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([403, null]);
    expect(edge.sent.length).toBe(before);
  });

  test('choosing another rail leads back to the page', async () => {
    edge.answer('pay_rail', () => shown({ rail: 'invoice' }));
    const answer = await form('/rail', { form_token: 'form-token', rail: 'invoice' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${TOKEN}`]);
    expect(edge.sent.at(-1)?.input).toEqual({ token: TOKEN, form_token: 'form-token', rail: 'invoice' });
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
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_rail');
  });
  afterAll(() => edge.stop());
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
