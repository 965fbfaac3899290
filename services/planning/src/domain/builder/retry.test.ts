import { describe, expect, it } from '@jest/globals';
import { retryAt } from './retry.js';

describe('when a plan is tried again (docs/domain/plans.md#plan-builder)', () => {
  it.each([
    ['before the morning it is today’s', 'no_candidates', '2026-11-21T05:59:59.999Z', '2026-11-21T06:00:00.000Z'],
    ['at the morning it is tomorrow’s', 'no_candidates', '2026-11-21T06:00:00.000Z', '2026-11-22T06:00:00.000Z'],
    ['over the end of a year', 'budget_too_small', '2026-12-31T23:00:00.000Z', '2027-01-01T06:00:00.000Z'],
    ['a category under review is not', 'category_review', '2026-11-21T05:00:00.000Z', null],
    ['a banned category is not', 'category_banned', '2026-11-21T05:00:00.000Z', null],
    ['a plan being built is not', 'building', '2026-11-21T05:00:00.000Z', null],
    ['a plan that exists is not', null, '2026-11-21T05:00:00.000Z', null],
  ] as const)('%s', (_name, reason, now, at) => {
    expect(retryAt(reason, new Date(now))?.toISOString() ?? null).toBe(at);
  });
});
