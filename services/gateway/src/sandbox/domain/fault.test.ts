import { type Input, operations } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { type Fault, faultError, faultOf } from './fault.js';

type Wanted = Input<'sandbox_fault_arm'>;

const made = (wanted: Wanted): Omit<Fault, 'operation' | 'delay_ms'> => {
  const of = faultOf(wanted);
  if ('problem' in of) throw new Error(of.problem.message);
  const { status, code, reason } = of.fault;
  return { status, code, reason };
};

describe('a fault of a sandbox (docs/domain/sandbox.md#faults)', () => {
  test.each<[string, Wanted, unknown]>([
    [
      'a 429 is the minute window unless it names another limit',
      { operation: 'plan_quote', status: 429 },
      { status: 429, code: 'rate_limited', reason: 'request_rate' },
    ],
    [
      'a 429 of a limit that the operation counts on',
      { operation: 'create_campaign', status: 429, reason: 'daily_campaign_limit' },
      { status: 429, code: 'rate_limited', reason: 'daily_campaign_limit' },
    ],
    [
      'a 409 with a reason is a conflict',
      { operation: 'plan_move_dates', status: 409, reason: 'bad_dates' },
      { status: 409, code: 'conflict', reason: 'bad_dates' },
    ],
    [
      'a 409 in progress has no reason',
      { operation: 'approve_plan', status: 409, code: 'in_progress' },
      { status: 409, code: 'in_progress', reason: null },
    ],
    [
      'a 403 is the mandate’s',
      { operation: 'approve_plan', status: 403, reason: 'over_monthly_cap' },
      { status: 403, code: 'mandate_refused', reason: 'over_monthly_cap' },
    ],
    [
      'a 503 needs nothing else',
      { operation: 'campaigns_list', status: 503 },
      { status: 503, code: 'unavailable', reason: null },
    ],
    [
      'the one 502',
      { operation: 'creator_ask_price', status: 502 },
      { status: 502, code: 'unavailable', reason: null },
    ],
    [
      'a delay alone has no error',
      { operation: 'plan_quote', delay_ms: 20_000 },
      { status: null, code: null, reason: null },
    ],
  ])('%s', (_name, wanted, expected) => {
    expect(made(wanted)).toEqual(expected);
  });

  test.each<[string, Wanted, string, RegExp]>([
    ['an unknown operation', { operation: 'plan_bake', status: 503 }, 'operation', /such as plan_quote/],
    ['an operation of a person', { operation: 'key_make', status: 503 }, 'operation', /such as plan_quote/],
    ['one of the sandbox itself', { operation: 'sandbox_clock', status: 503 }, 'operation', /such as plan_quote/],
    ['one of services alone', { operation: 'plan_sign', status: 503 }, 'operation', /such as plan_quote/],
    [
      'a status that it never answers',
      { operation: 'campaigns_list', status: 409 },
      'status',
      /answer: 429, 500, 503$/,
    ],
    ['a status of the edge', { operation: 'campaigns_list', status: 401 }, 'status', /answer: 429, 500, 503$/],
    [
      'a code of another status',
      { operation: 'plan_quote', status: 503, code: 'internal' },
      'code',
      /answers with 503: unavailable$/,
    ],
    [
      'a conflict without a reason',
      { operation: 'plan_move_dates', status: 409 },
      'reason',
      /required for conflict of plan_move_dates: plan_signed, archived, bad_dates, same_day$/,
    ],
    [
      'a reason of another operation',
      { operation: 'plan_move_dates', status: 409, reason: 'last_creator' },
      'reason',
      /must be one of conflict of plan_move_dates: plan_signed/,
    ],
    [
      'a limit that the operation does not count on',
      { operation: 'plan_quote', status: 429, reason: 'daily_lists' },
      'reason',
      /: request_rate$/,
    ],
    ['a reason where there is none', { operation: 'plan_quote', status: 503, reason: 'x' }, 'reason', /not accepted/],
    ['a reason without a status', { operation: 'plan_quote', delay_ms: 1, reason: 'x' }, 'reason', /`status`/],
    ['a code without a status', { operation: 'plan_quote', delay_ms: 1, code: 'internal' }, 'code', /`status`/],
  ])('%s is refused, with what goes', (_name, wanted, field, message) => {
    expect(faultOf(wanted)).toEqual({ problem: { field, message: expect.stringMatching(message) } });
  });

  test('every limit that an operation counts on can be simulated, with everything that a 429 says', () => {
    const now = new Date('2026-11-02T10:20:30.500Z');
    const reopened = new Map<string, unknown>();
    for (const { name, audience, rest, meters = [] } of operations) {
      if (audience !== 'brand' || rest === undefined || meters.length === 0) continue;
      const refusal = faultOf({ operation: name, status: 429, reason: 'nothing' });
      const reasons = 'problem' in refusal ? (refusal.problem.message.split(': ')[1] ?? '').split(', ') : [];
      expect(reasons.length).toBeGreaterThan(1);
      for (const reason of reasons) {
        const of = faultOf({ operation: name, status: 429, reason });
        if ('problem' in of) throw new Error(of.problem.message);
        const details = faultError(of.fault, now)?.details;
        expect(details).toMatchObject({ reason, limit: expect.any(Number), retry_after: expect.any(Number) });
        reopened.set(reason, details?.['resets_at']);
      }
    }
    expect(Object.fromEntries(reopened)).toEqual({
      request_rate: '2026-11-02T10:21:00.000Z',
      daily_writes: '2026-11-03T00:00:00.000Z',
      per_minute: '2026-11-02T10:21:00.000Z',
      daily_lists: '2026-11-03T00:00:00.000Z',
      daily_reveals: '2026-11-03T00:00:00.000Z',
      daily_seen: '2026-11-03T00:00:00.000Z',
      locked: '2026-11-02T10:30:30.500Z',
      daily_limit: '2026-11-03T10:20:30.500Z',
      daily_campaign_limit: '2026-11-03T10:20:30.500Z',
      child_key_limit: '2026-11-03T10:20:30.500Z',
      daily_feedback: '2026-11-03T00:00:00.000Z',
      stream_limit: '2026-11-02T10:25:30.500Z',
    });
  });
});
