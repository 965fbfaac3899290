import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aLine, aUnit } from '../../test/builders.js';
import { totalsOf } from './totals.js';

describe('the totals of a quote (docs/domain/plans.md#totals)', () => {
  const measured = aLine(aUnit({ price_cents: 45_000, views_low: 9_000, views_high: 27_000, reach_band: 'micro' }));
  const unmeasured = aLine(
    aUnit({ price_cents: 5_000, views_low: null, views_high: null, expected_views: null, reach_band: 'nano' }),
  );

  it('add the lines up; figures per thousand views count only measured lines', () => {
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

  it('count a creator with two posts once, and ignore a line without a creator', () => {
    const second = { ...measured, id: 'other' };
    const team = { ...measured, id: 'team', creator_id: null, creator: null, unit_id: null };
    const totals = totalsOf([measured, second, team], null);
    expect(totals).toMatchObject({ creators: 1, total_cents: 135_000, budget_cents: null, remaining_cents: null });
    expect(totals.tiers).toMatchObject({ micro: 2 });
  });

  it('are what a client adds up from the lines (property 9)', () => {
    const bands = ['nano', 'micro', 'mid', 'macro', 'mega'] as const;
    const drawn = fc.record({
      price_cents: fc.nat(10_000_000),
      creator: fc.constantFrom('a', 'b', 'c', null),
      band: fc.constantFrom(...bands),
      views: fc.option(fc.record({ low: fc.nat(1_000_000), more: fc.nat(1_000_000) })),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 40 }), fc.option(fc.nat(100_000_000)), (all, budget) => {
        const lines = all.map(({ price_cents, creator, band, views }) =>
          aLine(aUnit({ reach_band: band }), {
            price_cents,
            creator_id: creator,
            ...(creator === null ? { creator: null, unit_id: null } : {}),
            views_low: views === null ? null : views.low,
            views_high: views === null ? null : views.low + views.more,
          }),
        );
        const totals = totalsOf(lines, budget);
        let total = 0;
        for (const { price_cents } of lines) total += price_cents;
        const measured = all.filter(({ views }) => views !== null);
        expect(totals.total_cents).toBe(total);
        expect(totals.creators).toBe(new Set(all.flatMap(({ creator }) => creator ?? [])).size);
        expect(totals.unmeasured).toBe(all.length - measured.length);
        expect(totals.views_low).toBe(
          measured.length === 0 ? null : measured.reduce((sum, { views }) => sum + (views?.low ?? 0), 0),
        );
        for (const band of bands)
          expect(totals.tiers[band]).toBe(all.filter((one) => one.creator !== null && one.band === band).length);
        expect(totals.remaining_cents).toBe(budget === null ? null : Math.max(0, budget - total));
        if (totals.cpm_low_cents !== null && totals.cpm_high_cents !== null)
          expect(totals.cpm_low_cents).toBeLessThanOrEqual(totals.cpm_high_cents);
      }),
      { numRuns: 200, seed: 9 },
    );
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
