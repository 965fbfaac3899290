import { describe, expect, it } from '@jest/globals';
import { anError, aService, type Reply } from '../test/fakes.js';
import { type CallOptions, createClient } from './index.js';
import { retryAfterOf, waitAfter } from './retry.js';

const PLAN = { id: '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a001', terms_fingerprint: 'f' };

/** Approves a plan at a service that replies so, and says what came of it. */
const approve = async (replies: readonly Reply[], call: CallOptions = {}, service = aService(replies)) => {
  const outcome = await createClient(service.options)
    .approvePlan(PLAN, call)
    .then(
      () => 'done',
      (error: { name: string; code?: string }) => error.code ?? error.name,
    );
  return { outcome, sent: service.seen.length, waits: service.waits, seen: service.seen };
};

const refusal = (status: number, code: string, headers: Record<string, string> = {}, details = {}): Reply => ({
  status,
  body: anError(code, details),
  headers,
});

describe('a failure that is safe to repeat', () => {
  it.each<[string, Reply]>([
    [
      'a minute window that is used up',
      refusal(429, 'rate_limited', { 'retry-after': '1' }, { reason: 'request_rate' }),
    ],
    ['a service that is unavailable', refusal(503, 'unavailable', { 'retry-after': '1' })],
    ['a price request that was not delivered', refusal(502, 'unavailable')],
    ['an error on the side of the service', refusal(500, 'internal')],
    ['a first request that still runs', refusal(409, 'in_progress', { 'retry-after': '1' })],
    ['a proxy without a body of ours', { status: 504, body: '<html>Gateway timeout</html>' }],
    ['an address that does not answer', 'unreachable'],
  ])('%s: sends again after a second, with the same Idempotency-Key', async (_case, reply) => {
    const { outcome, waits, seen } = await approve([reply, {}]);

    expect({ outcome, waits }).toEqual({ outcome: 'done', waits: [1_000] });
    const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[A-Za-z0-9._:-]{8,128}$/);
    expect(new Set(keys).size).toBe(1);
    expect(seen[1]?.body).toEqual(seen[0]?.body);
  });

  it('sends again when no answer arrived in time', async () => {
    const { outcome, sent } = await approve(['silent', {}], { timeoutMs: 5 });
    expect({ outcome, sent }).toEqual({ outcome: 'done', sent: 2 });
  });
});

describe('any other failure', () => {
  it.each<[string, Reply]>([
    ['bad_request', refusal(400, 'bad_request')],
    ['unauthorized', refusal(401, 'unauthorized')],
    ['forbidden', refusal(403, 'forbidden')],
    ['mandate_refused', refusal(403, 'mandate_refused', {}, { reason: 'over_monthly_cap' })],
    ['not_found', refusal(404, 'not_found')],
    ['conflict', refusal(409, 'conflict', {}, { reason: 'terms_changed' })],
    ['idempotency_conflict', refusal(409, 'idempotency_conflict')],
    ['unprocessable', refusal(422, 'unprocessable')],
    ['UnexpectedAnswerError', { status: 404, body: '<html>' }],
    ['UnexpectedAnswerError', { status: 302, headers: { location: 'https://elsewhere.example' } }],
    ['UnexpectedAnswerError', { status: 200, body: '<html>' }],
  ])('%s is thrown at once', async (outcome, reply) => {
    expect(await approve([reply, {}])).toMatchObject({ outcome, sent: 1, waits: [] });
  });
});

describe('how long a call may take', () => {
  it('doubles the wait, and stops after six attempts', async () => {
    const { outcome, sent, waits } = await approve([refusal(503, 'unavailable')]);
    expect({ outcome, sent, waits }).toEqual({
      outcome: 'unavailable',
      sent: 6,
      waits: [1_000, 2_000, 4_000, 8_000, 16_000],
    });
  });

  it('waits as long as the answer says', async () => {
    expect(await approve([refusal(429, 'rate_limited', { 'retry-after': '17' }), {}])).toMatchObject({
      outcome: 'done',
      waits: [17_000],
    });
  });

  it('reads details.retry_after where a proxy drops the header', async () => {
    expect(await approve([refusal(429, 'rate_limited', {}, { retry_after: 9 }), {}])).toMatchObject({ waits: [9_000] });
  });

  it('reports a limit at once that resets after the total time', async () => {
    const limited = refusal(429, 'rate_limited', { 'retry-after': '43200' }, { reason: 'daily_lists' });
    expect(await approve([limited])).toMatchObject({ outcome: 'rate_limited', sent: 1, waits: [] });
  });

  it('counts what the attempts took towards the total time', async () => {
    const slow = aService([refusal(503, 'unavailable')], { tookMs: 20_000 });
    const { sent, waits } = await approve([], {}, slow);
    expect({ sent, waits }).toEqual({ sent: 3, waits: [1_000, 2_000] });
  });

  it('sends once with retry: false', async () => {
    expect(await approve([refusal(503, 'unavailable')], { retry: false })).toMatchObject({ sent: 1 });
  });

  it('ends with the reason of the signal, also between attempts', async () => {
    const stop = new AbortController();
    const service = aService([refusal(503, 'unavailable')]);
    const client = createClient({ ...service.options, onRetry: () => stop.abort(new Error('enough')) });
    await expect(client.approvePlan(PLAN, { signal: stop.signal })).rejects.toThrow('enough');
    expect(service.seen).toHaveLength(1);
  });

  it('reports each wait before it begins', async () => {
    const notices: unknown[] = [];
    const { options } = aService([refusal(503, 'unavailable'), {}]);
    await createClient({ ...options, onRetry: (notice) => notices.push(notice) }).approvePlan(PLAN);
    expect(notices).toMatchObject([{ operation: 'approve_plan', attempt: 1, waitMs: 1_000 }]);
  });
});

describe('the wait', () => {
  it.each([
    ['is never shorter than Retry-After', 1, 30, 0, 30_000],
    ['is at most two seconds longer than Retry-After', 1, 30, 0.999, 31_998],
    ['is at most a quarter longer than its own', 3, null, 0.999, 4_999],
    ['is at most 16 seconds of its own', 9, null, 0, 16_000],
  ])('%s', (_case, attempt, retryAfter, random, ms) => {
    expect(waitAfter(attempt, retryAfter, random)).toBe(ms);
  });

  it.each([
    ['a number of seconds', '12', 12],
    ['a date', 'Tue, 24 Nov 2026 12:00:30 GMT', 30],
    ['a date that has passed', 'Tue, 24 Nov 2026 11:00:00 GMT', 0],
    ['something else', 'soon', null],
    ['nothing', null, null],
  ])('reads %s', (_case, header, seconds) => {
    expect(retryAfterOf(header, Date.parse('2026-11-24T12:00:00Z'))).toBe(seconds);
  });
});
