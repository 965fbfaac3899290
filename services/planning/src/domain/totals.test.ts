import { describe, expect, it } from '@jest/globals';
import { aLine, aUnit } from '../test/builders.js';
import { totalsOf } from './totals.js';

describe('the totals of a quote (domain 2-plans 5.1)', () => {
  const measured = aLine(aUnit({ price_cents: 45_000, views_low: 9_000, views_high: 27_000, reach_band: 'micro' }));
  const unmeasured = aLine(
    aUnit({ price_cents: 5_000, views_low: null, views_high: null, expected_views: null, reach_band: 'nano' }),
  );

  it('add the lines up; figures per thousand views count measured lines alone', () => {
    expect(totalsOf([measured, unmeasured], 100_000)).toEqual({
      creators: 2,
      total_cents: 50_000,
      views_low: 9_000,
      views_high: 27_000,
      unmeasured: 1,
      cpm_low_cents: 1_667,
      cpm_high_cents: 5_000,
      tiers: { nano: 1, micro: 1, mid: 0, macro: 0, mega: 0 },
      budget_cents: 100_000,
      remaining_cents: 50_000,
    });
  });

  it('count a creator with two posts once and a line without a creator not at all', () => {
    const second = { ...measured, id: 'other' };
    const team = { ...measured, id: 'team', creator_id: null, creator: null, unit_id: null };
    const totals = totalsOf([measured, second, team], null);
    expect(totals).toMatchObject({ creators: 1, total_cents: 135_000, budget_cents: null, remaining_cents: null });
    expect(totals.tiers).toMatchObject({ micro: 2 });
  });

  it('have no views and no cost per thousand when nothing is measured', () => {
    expect(totalsOf([unmeasured], 1_000)).toMatchObject({
      views_low: null,
      views_high: null,
      cpm_low_cents: null,
      cpm_high_cents: null,
      remaining_cents: 0,
    });
  });
});
