import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sessionWanted } from '../../test/session-wanted.js';
import { StripeRail } from './stripe-rail.js';

/** Stripe's own mock server; where it cannot be had, these tests count as skipped. */
const MOCK = process.env['CDS_TEST_STRIPE_MOCK'];

/** Parameters of the pinned version of the API that the mock's version has under another name. */
const RENAMED = { allowed_payment_method_types: 'payment_method_types' } as const;

type Seen = { method: string; path: string; status: number; answer: string };

/** Forwards requests to the mock in its own names, and keeps what it answered. */
const forwarderTo = async (port: number, seen: Seen[]): Promise<Server> => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    for (const [name, its] of Object.entries(RENAMED)) body = body.replaceAll(name, its);
    const { method = 'GET', url = '/' } = request;
    const answered = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': String(request.headers['idempotency-key'] ?? ''),
      },
      ...(body === '' ? {} : { body }),
    });
    const answer = await answered.text();
    seen.push({ method, path: url.split('?')[0] ?? '', status: answered.status, answer });
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

/** Starts the mock on a free port, which it prints. */
const startMock = async (program: string): Promise<{ mock: ChildProcess; port: number }> => {
  const mock = spawn(program, ['-http-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: mock.stdout })) {
    const port = /Listening for HTTP at address: 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return { mock, port: Number(port) };
  }
  throw new Error('stripe-mock ended before it listened');
};

/** Without Stripe's own mock server, which needs Go, these count as skipped. */
const suite = MOCK === undefined ? describe.skip : describe;

suite("the requests of Stripe's rail fit Stripe's API, as its mock server checks them", () => {
  const seen: Seen[] = [];
  let mock: ChildProcess;
  let forwarder: Server;
  let rail: StripeRail;

  beforeAll(async () => {
    const started = await startMock(MOCK ?? '');
    mock = started.mock;
    forwarder = await forwarderTo(started.port, seen);
    rail = new StripeRail(
      {
        secretKey: 'rk_test_mock',
        webhookSecrets: ['whsec_mock'],
        apiUrl: `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`,
      },
      async () => new Date(),
    );
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterAll(() => {
    forwarder?.close();
    mock?.kill();
  });

  const wanted = (session: Parameters<typeof sessionWanted>[1] = {}) =>
    sessionWanted('https://app.example.com/pay/token', { state: 'open', ...session });
  const refund = () =>
    rail.refund({ order: wanted().order, payment: 'pi_123', amountCents: 100, key: randomUUID(), reference: null });
  const asked = () => seen.map(({ method, path }) => `${method} ${path}`);

  // What the mock answers are its fixtures, so only what it accepts is looked at.
  it.each([
    ['opening a session', () => rail.open(wanted()), ['POST /v1/checkout/sessions']],
    ['looking at a session', () => rail.look(wanted({ rail_id: 'cs_123' })), ['GET /v1/checkout/sessions/cs_123']],
    [
      'closing a session',
      () => rail.close(wanted({ rail_id: 'cs_123' })),
      ['GET /v1/checkout/sessions/cs_123', 'POST /v1/checkout/sessions/cs_123/expire'],
    ],
    ['a refund', refund, ['GET /v1/refunds', 'POST /v1/refunds']],
    ['what was returned', () => rail.returned('pi_123'), ['GET /v1/refunds']],
  ])('%s', async (_call, call, requests) => {
    await call().catch(() => undefined);
    expect(seen.filter(({ status }) => status >= 400)).toEqual([]);
    expect(asked()).toEqual(expect.arrayContaining(requests));
  });

  it('refuses a parameter that the API does not have, so the tests above can fail', async () => {
    const { port } = forwarder.address() as AddressInfo;
    const answered = await fetch(`http://127.0.0.1:${port}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer rk_test_mock' },
      body: 'payment_intent=pi_123&nonsense=1',
    });
    expect(answered.status).toBe(400);
  });
});
