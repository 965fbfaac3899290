import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit } from '../../test/builders.js';
import {
  currentPrice,
  currentTotal,
  nextVersion,
  overBudget,
  pricesMoved,
  refreshedLines,
  repricedLines,
  repricedVersion,
} from './repricing.js';

const campaign = aCampaign();
const unit = aUnit({ unit_id: 'unit', price_cents: 120, expected_views: 900 });
const units = new Map([['unit', unit]]);
const line = aLine(unit, { price_cents: 100, expected_views: 1 });
const unsold = { ...line, id: 'unsold', unit_id: null };
const unknown = { ...line, id: 'unknown', unit_id: 'other' };

/** docs/domain/plans.md#repricing. */
describe('a plan at current prices', () => {
  it('has those of its units, and its own where there is none', () => {
    expect([line, unsold, unknown].map((one) => currentPrice(one, units))).toEqual([120, 100, 100]);
    expect(currentTotal([line, unsold, unknown], units)).toBe(320);
  });

  it.each<[over: number | null, budget: number | null, status: 'awaiting_approval' | 'approved']>([
    [null, 220, 'awaiting_approval'],
    [1, 219, 'awaiting_approval'],
    [null, null, 'awaiting_approval'],
    [null, 219, 'approved'],
  ])('is over its budget by %p of %p, %s', (over, budget, status) => {
    const plan = aPlan(campaign, [line, unsold], { status });
    expect(overBudget(plan, units, budget)).toEqual(
      over === null ? null : { budget_cents: budget, total_cents: 220, over_by_cents: over },
    );
  });

  it.each<[prices: number[], budget: number | null]>([
    [[120, 100], null],
    [[120, 100], 220],
    [[100, 100], 219],
  ])('has the prices %j with a budget of %p', (prices, budget) => {
    expect(repricedLines([line, unsold], units, budget).map(({ price_cents }) => price_cents)).toEqual(prices);
  });

  it.each<[moved: boolean, what: string, ...of: Parameters<typeof pricesMoved>]>([
    [true, 'within its budget', aPlan(campaign, [unsold, line]), units, 220],
    [false, 'beyond its budget', aPlan(campaign, [unsold, line]), units, 219],
    [false, 'without another price', aPlan(campaign, [unsold]), units, null],
    [false, 'once it is signed', aPlan(campaign, [line], { status: 'approved' }), units, null],
  ])('moves: %s, %s', (moved, _what, plan, of, budget) => {
    expect(pricesMoved(plan, of, budget)).toBe(moved);
  });

  it('has the views and texts of now, and the words of the team', () => {
    const [fresh, same, other] = refreshedLines([line, unsold, unknown], units);
    expect(fresh).toMatchObject({
      expected_views: 900,
      views_low: unit.views_low,
      views_high: unit.views_high,
      engagement_rate: unit.engagement_rate,
      vetting: unit.vetting,
      match_score: unit.match_score,
      price_cents: 100,
    });
    expect([same, other]).toEqual([unsold, unknown]);
    const by = (written_by: 'team' | 'key' | 'builder') =>
      refreshedLines([{ ...line, reason: 'Ours', written_by }], units)[0]?.reason;
    expect(by('team')).toBe('Ours');
    expect(by('key')).toBe(`Added by you. ${by('builder')}`);
  });

  it('is its next version', () => {
    const plan = aPlan(campaign, [line], { version: 4 });
    expect(nextVersion(plan, [line], units)).toMatchObject({
      version: 5,
      lines: [{ price_cents: 100, expected_views: 900 }],
    });
    expect(repricedVersion(plan, [line], units, { budget_cents: null })).toMatchObject({
      version: 5,
      lines: [{ price_cents: 120 }],
    });
    expect(nextVersion(plan, [unsold], units).terms_fingerprint).not.toBe(plan.terms_fingerprint);
  });
});
