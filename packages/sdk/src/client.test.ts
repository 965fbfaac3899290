import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { anError, aService } from '../test/fakes.js';
import {
  API_VERSION,
  ApiFailure,
  createClient,
  isApiError,
  isErrorOf,
  type Quote,
  UnexpectedAnswerError,
} from './index.js';

const ID = '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a001';
const LINE = '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a002';

describe('a request', () => {
  it('of a read has its fields in path and query', async () => {
    const { options, seen } = aService([{ body: { orders: [], next: null } }]);
    await createClient(options).ordersList({ payment_state: 'paid', limit: 5 });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: 'https://cds.example/api/v1/orders?payment_state=paid&limit=5',
      body: undefined,
    });
    expect(seen[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('of a write has its fields in path and body', async () => {
    const { options, seen } = aService([{ status: 200 }]);
    await createClient(options).planSwapCreator(
      { id: ID, line_id: LINE, unit_id: ID },
      { idempotencyKey: 'swap-0001' },
    );
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: `https://cds.example/api/v1/plans/${ID}/lines/${LINE}/swap`,
      body: { unit_id: ID },
    });
    expect(seen[0]?.headers.get('idempotency-key')).toBe('swap-0001');
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('of a DELETE has no body', async () => {
    const { options, seen } = aService([{}]);
    await createClient(options).planRemoveCreator({ id: ID, line_id: LINE });
    expect(seen[0]).toMatchObject({ method: 'DELETE', body: undefined });
    expect(seen[0]?.headers.has('content-type')).toBe(false);
  });

  it('carries the key of the moment, and who sends it', async () => {
    const { options, seen } = aService([{}]);
    const keys = ['first', 'second'];
    const client = createClient({ ...options, key: () => keys.shift() ?? '', userAgent: 'acme/2' });
    await client.inventory();
    await client.inventory({}, { requestId: 'request-1' });
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer first', 'Bearer second']);
    expect(seen[1]?.headers.get('user-agent')).toBe(`acme/2 cds-sdk/${API_VERSION}`);
    expect(seen[1]?.headers.get('x-request-id')).toBe('request-1');
  });

  it('carries no key where none is needed', async () => {
    const { options, seen } = aService([{}]);
    await createClient(options).networkFacts();
    expect(seen[0]?.headers.has('authorization')).toBe(false);
  });

  it('escapes what it puts into a path, and refuses an empty id', async () => {
    const { options, seen } = aService([{}]);
    const client = createClient(options);
    await client.planQuote({ id: '../keys?x' });
    expect(seen[0]?.url).toBe('https://cds.example/api/v1/plans/..%2Fkeys%3Fx/quote');
    await expect(client.planQuote({ id: '' })).rejects.toThrow('id is required');
  });

  it.each([
    ['https://cds.example/', 'https://cds.example/api/v1/inventory'],
    ['https://cds.example/api/v1', 'https://cds.example/api/v1/inventory'],
    ['https://cds.example/cds/', 'https://cds.example/cds/api/v1/inventory'],
    ['http://localhost:8080', 'http://localhost:8080/api/v1/inventory'],
  ])('goes from %s to %s', async (url, expected) => {
    const { options, seen } = aService([{}]);
    await createClient({ ...options, url }).inventory();
    expect(seen[0]?.url).toBe(expected);
  });

  it('is sent to the address that was named and nowhere else: a redirection is not followed', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      if (paths.length === 1) response.writeHead(307, { location: '/elsewhere' }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const client = createClient({ url: `http://127.0.0.1:${port}`, key: 'cds_test_key' });
      await expect(client.inventory()).rejects.toThrow(UnexpectedAnswerError);
      expect(paths).toEqual(['/api/v1/inventory']);
    } finally {
      server.close();
    }
  });

  it('does not send a key in clear to another machine', () => {
    const { options } = aService([{}]);
    expect(() => createClient({ ...options, url: 'http://cds.example' })).toThrow('must be https');
    expect(() => createClient({ ...options, url: 'http://cds.example', allowInsecure: true })).not.toThrow();
  });
});

describe('an answer', () => {
  it('comes with what its headers said, when called by name', async () => {
    const headers = {
      'x-request-id': 'req-1',
      'idempotent-replayed': 'true',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '41',
      'ratelimit-reset': '17',
    };
    const { options } = aService([{ body: { status: 'approved' }, headers }]);
    const sent = { idempotencyKey: 'approve-1' };
    expect(await createClient(options).call('approve_plan', { id: ID, terms_fingerprint: 'f' }, sent)).toEqual({
      value: { status: 'approved' },
      status: 200,
      requestId: 'req-1',
      replayed: true,
      rate: { limit: 60, remaining: 41, resetSeconds: 17 },
      idempotencyKey: 'approve-1',
    });
  });

  it('of a request without a method comes the same way', async () => {
    const { options, seen } = aService([{ body: { limits: [] } }]);
    const answer = await createClient(options).request('GET', '/api/v1/limits', { query: { days: 7 } });
    expect(answer.value).toEqual({ limits: [] });
    expect(seen[0]?.url).toBe('https://cds.example/api/v1/limits?days=7');
  });
});

describe('an error', () => {
  const thrown = async (status: number, body: unknown): Promise<unknown> => {
    const { options } = aService([{ status, body, headers: { 'x-request-id': 'req-9' } }]);
    return createClient(options)
      .approvePlan({ id: ID, terms_fingerprint: 'f' }, { idempotencyKey: 'approve-9' })
      .catch((error: unknown) => error);
  };

  it('has the code, the details, the request id and the Idempotency-Key', async () => {
    const error = await thrown(403, {
      error: {
        code: 'mandate_refused',
        message: 'Over the cap.',
        details: { reason: 'over_monthly_cap', limit_cents: 5, requested_cents: 7, over_by_cents: 2, spent_cents: 0 },
        receipt_id: LINE,
      },
    });
    expect(error).toBeInstanceOf(ApiFailure);
    expect(error).toMatchObject({
      name: 'ApiFailure',
      message: 'Over the cap.',
      operation: 'approve_plan',
      status: 403,
      requestId: 'req-9',
      receiptId: LINE,
      idempotencyKey: 'approve-9',
      attempts: 1,
      retryable: false,
    });
  });

  it('narrows by code and reason, at compile time too', async () => {
    const error = await thrown(409, anError('conflict', { reason: 'lines_blocked', line_ids: [LINE] }));
    if (!isErrorOf(error, 'approve_plan') || error.code !== 'conflict') throw error;
    // @ts-expect-error: approve does not answer `already_in_plan`
    expect(error.details.reason === 'already_in_plan').toBe(false);
    if (error.details.reason !== 'lines_blocked') throw error;
    const lineIds: string[] = error.details.line_ids;
    expect(lineIds).toEqual([LINE]);
    expect(isErrorOf(error, 'plan_quote')).toBe(false);
  });

  it('of a limit says whom it counts, and of price requests for which creator it is', async () => {
    const details = { reason: 'daily_limit', scope: 'workspace', limit: 3, creator_id: LINE, retry_after: 60 };
    const error = await thrown(429, anError('rate_limited', details));
    if (!isApiError(error) || error.code !== 'rate_limited') throw error;
    const { scope, creator_id: creator } = error.details;
    expect([scope, creator] satisfies (string | undefined)[]).toEqual(['workspace', LINE]);
  });

  it('of the mandate gives amounts where the reason has them', async () => {
    const error = await thrown(403, anError('mandate_refused', { reason: 'over_max_plan_total', over_by_cents: 12 }));
    if (!isApiError(error) || error.code !== 'mandate_refused') throw error;
    expect(error.details.reason === 'over_max_plan_total' && error.details.over_by_cents).toBe(12);
  });
});

/** Compiles only if the answers have the types of the contract. */
export const typesOfAnswers = async (client: ReturnType<typeof createClient>): Promise<Quote> => {
  const { plan } = await client.createCampaign({
    goal: 'launch',
    product: 'Orbit',
    moment: 'Orbit goes live',
    window_start: '2027-03-10',
    window_end: '2027-03-31',
    budget_usd: 6000,
  });
  // @ts-expect-error: a goal that does not exist
  await client.creatorsSearch({ goal: 'fame' });
  // @ts-expect-error: an id is required
  await client.planQuote({});
  return plan ?? client.planQuote({ id: ID });
};
