import { REACH_BANDS, type ReachBand } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ExpectedViews } from '../creator/creator.js';
import { type Comparable, type Estimated, estimateBasisOf, priceEstimate } from './price-estimate.js';

const AT = new Date('2026-11-21T00:00:00.000Z');
const SYNCED = new Date('2026-11-20T12:00:00.000Z');

const expecting = (mid: number): ExpectedViews => {
  const range = { mid, low: mid, high: mid };
  return { post: range, quote: range, thread: range };
};
const aSeller = (over: Partial<Estimated> = {}): Estimated => ({
  expected_views: expecting(4_100),
  followers: 28_000,
  reach_band: 'micro',
  engagement_rate_30d: 2.1,
  synced_at: SYNCED,
  ...over,
});
const costs = (band: ReachBand, ...usd: number[]): Comparable[] =>
  usd.map((costUsd) => ({ band, costUsd, syncedAt: SYNCED }));
const rate = { band: 'micro' as const, rate: 1.6 };
const NO_BASIS = estimateBasisOf([], []);

describe('a price estimate', () => {
  it('matches the worked example of the domain page', () => {
    expect(priceEstimate(aSeller(), estimateBasisOf([], [rate]), AT)).toEqual({
      min_usd: 75,
      max_usd: 150,
      label: 'Est. $75 to $150',
      provenance: {
        source: 'model',
        method: 'price-1',
        measured_at: AT.toISOString(),
        expires_at: '2026-12-20T12:00:00.000Z',
        label: 'Estimated',
        stale: false,
        as_of: SYNCED.toISOString(),
      },
      calc: {
        calc_version: 'price-1',
        inputs: { views: 4_100, views_basis: 'posts', reach_band: 'micro', engagement_rate: 2.1, comparables: 0 },
      },
    });
  });

  it.each([
    ['28,000 followers', { followers: 28_000 }, 3_600],
    ['unknown followers as 1,000', { followers: null, reach_band: 'nano' as const }, 170],
    ['no follower as 1,000', { followers: 0, reach_band: 'nano' as const }, 170],
  ])('takes the views of an unmeasured creator from %s', (_name, over, views) => {
    const { inputs } = priceEstimate(aSeller({ expected_views: null, ...over }), NO_BASIS, AT).calc;
    expect(inputs).toMatchObject({ views, views_basis: 'followers' });
  });

  it.each([
    ['seven of the band are too few', costs('micro', 10, 10, 10, 10, 10, 10, 10), 0],
    ['eight of the band are enough', costs('micro', 10, 10, 10, 10, 10, 10, 10, 10), 8],
    [
      'the next bands help on both sides',
      [...costs('micro', 1, 1, 1), ...costs('nano', 2, 2, 2), ...costs('mid', 3, 3)],
      8,
    ],
    [
      'bands come one step at a time',
      [...costs('micro', 1, 1, 1, 1, 1, 1, 1), ...costs('mid', 2), ...costs('mega', 3)],
      8,
    ],
    ['all bands together may be needed', [...costs('mega', 1, 2, 3, 4), ...costs('nano', 5, 6, 7, 8)], 8],
  ])('%s', (_name, comparables, count) => {
    expect(priceEstimate(aSeller(), estimateBasisOf(comparables, []), AT).calc.inputs.comparables).toBe(count);
  });

  it('takes the bands from one end to the other where no nearer ones are enough', () => {
    const basis = estimateBasisOf(costs('mega', 1, 2, 3, 4, 5, 6, 7, 8), []);
    const nano = aSeller({ reach_band: 'nano' });
    expect(priceEstimate(nano, basis, AT).calc.inputs.comparables).toBe(8);
  });

  it('interpolates quartiles of costs in any order', () => {
    const basis = estimateBasisOf(costs('micro', 80, 10, 70, 20, 60, 30, 50, 40), []);
    expect(priceEstimate(aSeller({ expected_views: expecting(10_000) }), basis, AT)).toMatchObject({
      min_usd: 280,
      max_usd: 625,
    });
  });

  it.each([
    ['of its own band alone', [rate, { band: 'mega' as const, rate: 50 }], 150],
    ['by nothing where the band has none', [{ band: 'micro' as const, rate: 0 }], 140],
  ])('moves with engagement %s', (_name, rates, max) => {
    const seller = aSeller({ engagement_rate_30d: 2.1 });
    expect(priceEstimate(seller, estimateBasisOf([], rates), AT).max_usd).toBe(max);
  });

  it.each([
    ['$5 to $10 at least', 0.01, 5, 10],
    ['$5 up to $100', 95, 95, 100],
    ['$10 from $100', 100, 100, 110],
    ['$25 from $500', 500, 500, 525],
    ['$100 from $2,000', 2_000, 2_000, 2_100],
  ])('of one cost spans one step: %s', (_name, usd, min, max) => {
    const basis = estimateBasisOf(costs('micro', ...Array.from({ length: 8 }, () => usd)), []);
    expect(priceEstimate(aSeller({ expected_views: expecting(1_000) }), basis, AT)).toMatchObject({
      min_usd: min,
      max_usd: max,
    });
  });

  const syncedAt = (...hours: number[]): Comparable[] =>
    hours.map((hour) => ({ band: 'micro', costUsd: 10, syncedAt: new Date(SYNCED.getTime() + hour * 3_600_000) }));
  it.each([
    ['the creator’s own sync, without comparables', [], '2026-11-20T12:00:00.000Z'],
    ['the creator’s own sync, with too few comparables', syncedAt(1, 1, 1, 1, 1, 1, 1), '2026-11-20T12:00:00.000Z'],
    ['the newest of the comparables', syncedAt(0, 0, 5, 0, 3, 0, 0, 0), '2026-11-20T17:00:00.000Z'],
    ['the creator’s own sync, newer than theirs', syncedAt(-1, -1, -1, -1, -1, -1, -1, -1), '2026-11-20T12:00:00.000Z'],
  ])('is as old as %s', (_name, comparables, as_of) => {
    expect(priceEstimate(aSeller(), estimateBasisOf(comparables, []), AT).provenance).toMatchObject({
      as_of,
      measured_at: AT.toISOString(),
    });
  });

  it('is measured by its newest input where that is of the day itself', () => {
    const synced_at = new Date('2026-11-21T09:00:00.000Z');
    expect(priceEstimate(aSeller({ synced_at }), NO_BASIS, AT).provenance.measured_at).toBe(synced_at.toISOString());
  });

  it.each([
    ['at least 0.8', 0.01, 560],
    ['at most 1.25', 50, 875],
    ['1 without a rate', null, 700],
  ])('moves with engagement %s', (_name, engagement, min) => {
    const basis = estimateBasisOf(costs('micro', 100, 100, 100, 100, 100, 100, 100, 100), [rate]);
    const seller = aSeller({ expected_views: expecting(7_000), engagement_rate_30d: engagement });
    expect(priceEstimate(seller, basis, AT).min_usd).toBe(engagement === 0.01 ? 550 : min);
  });

  it.each([
    ['$5 under $100', 97.4, 95],
    ['$10 from $100', 104.9, 100],
    ['$25 from $500', 512.5, 525],
    ['$100 from $2,000', 2_049, 2_000],
  ])('is rounded to %s', (_name, usd, min) => {
    const basis = estimateBasisOf(costs('micro', ...Array.from({ length: 8 }, () => usd)), []);
    expect(priceEstimate(aSeller({ expected_views: expecting(1_000) }), basis, AT).min_usd).toBe(min);
  });

  it('formats thousands with a comma', () => {
    const basis = estimateBasisOf(costs('micro', 1_200, 1_200, 1_200, 1_200, 2_400, 2_400, 2_400, 2_400), []);
    expect(priceEstimate(aSeller({ expected_views: expecting(1_000) }), basis, AT).label).toBe('Est. $1,200 to $2,400');
  });

  it('goes stale on its thirtieth day, and never without facts', () => {
    const at = (iso: string) => priceEstimate(aSeller(), NO_BASIS, new Date(iso)).provenance.stale;
    expect([at('2026-12-20T11:59:59.999Z'), at('2026-12-20T12:00:00.000Z')]).toEqual([false, true]);
    expect(priceEstimate(aSeller({ synced_at: null }), NO_BASIS, AT).provenance).toMatchObject({
      as_of: null,
      expires_at: null,
      stale: false,
    });
  });

  it('is at least $5 and spans at least one step', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REACH_BANDS),
        fc.integer({ min: 0, max: 50_000_000 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 5_000, noNaN: true }), { maxLength: 20 }),
        (band, views, engagement, usd) => {
          const seller = aSeller({
            reach_band: band,
            expected_views: expecting(views),
            engagement_rate_30d: engagement,
          });
          const { min_usd: min, max_usd: max } = priceEstimate(
            seller,
            estimateBasisOf(costs(band, ...usd), [rate]),
            AT,
          );
          expect(Number.isInteger(min) && Number.isInteger(max)).toBe(true);
          expect(min).toBeGreaterThanOrEqual(5);
          expect(max - min).toBeGreaterThanOrEqual(min < 100 ? 5 : min < 500 ? 10 : min < 2_000 ? 25 : 100);
        },
      ),
    );
  });
});
