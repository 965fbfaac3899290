import { describe, expect, it } from '@jest/globals';
import { childKeyPool, mandatePools, requestPool, saidLimit, streamPool } from './limits.js';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-12-31T23:59:00.000Z');

const mandate = {
  version: 1,
  max_plan_cents: 500,
  monthly_cap_cents: 2_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: '2027-06-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  terms_version: null,
  terms_accepted_at: null,
  terms_accepted_email: null,
};
const parent = { key: 'parent', monthly_cap_cents: 9_000, mandate_version: 1 };

describe('what a refusal says of its limit (docs/domain/events.md#events)', () => {
  const resets_at = '2027-01-01T00:00:00.000Z';

  it.each([
    ['a scope as it is', { reason: 'per_minute', scope: 'key' }, 'key'],
    ['the brand as GET /limits does', { reason: 'per_minute', scope: 'api' }, 'brand'],
    ['the only scope of a limit', { reason: 'daily_campaign_limit' }, 'brand'],
    ['none where there are several', { reason: 'daily_lists' }, null],
    ['none of a limit that nobody declared', { reason: 'sign_in_limit', scope: 'mailbox' }, null],
  ])('names %s', (_what, details, scope) => {
    expect(saidLimit({ ...details, limit: 20, resets_at })).toEqual({ scope, limit: 20, resets_at });
  });

  it('keeps a scope that a person’s session has', () => {
    const refusal = { reason: 'request_rate', scope: 'session', limit: 600 };
    expect(saidLimit(refusal)).toEqual({ scope: 'session', limit: 600, resets_at: null });
  });

  it('names the creator whose price was asked for too often', () => {
    const refusal = { reason: 'daily_limit', scope: 'workspace', limit: 3, creator_id: 'c', resets_at };
    expect(saidLimit(refusal)).toEqual({ scope: 'workspace', limit: 3, creator_id: 'c', resets_at });
  });

  it('has null for what it does not say', () => {
    expect(saidLimit({})).toEqual({ scope: null, limit: null, resets_at: null });
  });
});

describe('the limits that the gateway counts (docs/domain/requests.md#limits)', () => {
  it('has the minute window with this request counted', () => {
    const window = { scope: 'key' as const, limit: 60, left: 41, resetsAt: NOW };
    expect(requestPool(window)).toMatchObject({ name: 'request_rate', scope: 'key', limit: 60, left: 41 });
  });

  it.each([
    ['none made', [], 3, null],
    ['the last second of the span counts', [1 - DAY_MS], 2, 1],
    ['one that leaves now does not', [-DAY_MS], 3, null],
    ['the oldest inside the span says when', [-10, -1_000, -DAY_MS - 1], 1, DAY_MS - 1_000],
    ['all are made', [-1, -2, -3], 0, DAY_MS - 3],
  ] as const)('child keys: %s', (_why, agoMs, left, resetsInMs) => {
    const made = agoMs.map((ms) => new Date(NOW.getTime() + ms));
    expect(childKeyPool(made, 3, DAY_MS, NOW)).toMatchObject({
      limit: 3,
      left,
      resets_at: resetsInMs === null ? null : new Date(NOW.getTime() + resetsInMs).toISOString(),
    });
  });

  it.each([
    ['none open', [], 4, null],
    ['the first to end says when', [5_000, 9_000], 2, 5_000],
    ['all are open', [1, 2, 3, 4], 0, 1],
    ['more than all, of before the limit was lowered', [1, 2, 3, 4, 5], 0, 1],
  ] as const)('streams of a session: %s', (_why, endsInMs, left, resetsInMs) => {
    const ends = endsInMs.map((ms) => new Date(NOW.getTime() + ms));
    expect(streamPool('session', ends)).toEqual({
      name: 'stream_limit',
      scope: 'session',
      unit: 'streams',
      limit: 4,
      left,
      refills: 'one_by_one',
      resets_at: resetsInMs === null ? null : new Date(NOW.getTime() + resetsInMs).toISOString(),
    });
  });

  it('lists no amounts of a mandate for a key without one', () => {
    expect(mandatePools({ key: 'k', mandate: null }, new Map(), NOW)).toEqual([]);
  });

  it.each([
    ['nothing spent', 0, 2_000],
    ['something spent', 1_999, 1],
    ['all spent', 2_000, 0],
    ['a cap lowered under what was spent', 2_500, 0],
  ])('the monthly cap with %s, which comes back with the month', (_why, spent, left) => {
    const [total, cap] = mandatePools({ key: 'k', mandate }, new Map([['k', spent]]), NOW);
    expect(total).toMatchObject({ name: 'over_max_plan_total', limit: 500, left: 500, resets_at: null });
    expect(cap).toMatchObject({ limit: 2_000, left, resets_at: '2027-01-01T00:00:00.000Z' });
  });

  it('a child key draws on the cap of its parent too', () => {
    const spent = new Map([
      ['k', 100],
      ['parent', 8_950],
    ]);
    expect(
      mandatePools({ key: 'k', mandate, parent }, spent, NOW).map(({ scope, limit, left }) => [scope, limit, left]),
    ).toEqual([
      ['key', 500, 500],
      ['key', 2_000, 1_900],
      ['parent', 9_000, 50],
    ]);
  });
});
