/** What a creator with nothing on sale might cost, "price-1". It is not a price: nothing filters by it. */
import { type PriceEstimate, REACH_BANDS, type ReachBand } from '@cds/contracts';
import {
  COMPARABLES_LEAST,
  CPM_OF_BAND,
  CPM_QUARTILES,
  DAY_MS,
  ENGAGEMENT_EFFECT,
  ESTIMATE_DAYS,
  ESTIMATE_FOLLOWERS_UNKNOWN,
  ESTIMATE_STEPS,
  ESTIMATE_VERSION,
  PAID_FACTOR,
  VIEWS_PER_FOLLOWER,
} from '../constants.js';
import type { Creator } from '../creator/creator.js';
import { median, quantileIn, roundHalfUp, twoSignificant } from '../statistics.js';

export type Comparable = { band: ReachBand; costUsd: number; syncedAt: Date | null };

type BandBasis = { lower: number; upper: number; count: number; medianRate: number | null };

export type EstimateBasis = { bands: Readonly<Record<ReachBand, BandBasis>>; newest: Date | null };

/** The band and as few neighbouring bands as give enough comparables; empty when all bands do not. */
const comparablesFor = (band: ReachBand, comparables: readonly Comparable[]): Float64Array => {
  const at = REACH_BANDS.indexOf(band);
  for (let wide = 0; wide < REACH_BANDS.length; wide += 1) {
    const near = comparables.filter((one) => Math.abs(REACH_BANDS.indexOf(one.band) - at) <= wide);
    if (near.length >= COMPARABLES_LEAST) return Float64Array.from(near, ({ costUsd }) => costUsd).sort();
  }
  return new Float64Array();
};

export const estimateBasisOf = (
  comparables: readonly Comparable[],
  rates: readonly { band: ReachBand; rate: number }[],
): EstimateBasis => {
  const bandBasis = (band: ReachBand): BandBasis => {
    const costs = comparablesFor(band, comparables);
    const cpm = CPM_OF_BAND[band];
    return {
      lower: costs.length === 0 ? cpm * CPM_QUARTILES.lower : quantileIn(costs, 0.25),
      upper: costs.length === 0 ? cpm * CPM_QUARTILES.upper : quantileIn(costs, 0.75),
      count: costs.length,
      medianRate: median(rates.filter((one) => one.band === band).map(({ rate }) => rate)),
    };
  };
  return {
    bands: Object.fromEntries(REACH_BANDS.map((band) => [band, bandBasis(band)])) as Record<ReachBand, BandBasis>,
    newest: comparables.reduce<Date | null>((newest, { syncedAt }) => newestOf(newest, syncedAt), null),
  };
};

const stepFor = (usd: number): number => ESTIMATE_STEPS.find(([from]) => usd >= from)?.[1] ?? 5;
const inSteps = (usd: number): number => roundHalfUp(usd / stepFor(usd)) * stepFor(usd);

export type Estimated = Pick<
  Creator,
  'expected_views' | 'followers' | 'reach_band' | 'engagement_rate_30d' | 'synced_at'
>;

const viewsOf = ({ expected_views: expected, followers, reach_band: band }: Estimated) =>
  expected === null
    ? {
        views: twoSignificant((followers || ESTIMATE_FOLLOWERS_UNKNOWN) * VIEWS_PER_FOLLOWER[band] * PAID_FACTOR),
        views_basis: 'followers' as const,
      }
    : { views: expected.post.mid, views_basis: 'posts' as const };

const engagementEffect = (rate: number | null, typical: number | null): number => {
  if (rate === null || typical === null || typical === 0) return 1;
  return Math.min(
    ENGAGEMENT_EFFECT.most,
    Math.max(ENGAGEMENT_EFFECT.least, (rate / typical) ** ENGAGEMENT_EFFECT.power),
  );
};

const newestOf = (one: Date | null, other: Date | null): Date | null =>
  one !== null && other !== null ? (one > other ? one : other) : (one ?? other);

/** Depends only on its newest input and the day, so every replica computes the same. */
export const priceEstimate = (creator: Estimated, basis: EstimateBasis, dayStart: Date): PriceEstimate => {
  const { views, views_basis } = viewsOf(creator);
  const { lower, upper, count, medianRate } = basis.bands[creator.reach_band];
  const effect = engagementEffect(creator.engagement_rate_30d, medianRate);

  const least = ESTIMATE_STEPS.at(-1)?.[1] ?? 5;
  const min = Math.max(least, inSteps((lower * views * effect) / 1_000));
  const max = Math.max(min + stepFor(min), inSteps((upper * views * effect) / 1_000));

  const asOf = newestOf(creator.synced_at, count > 0 ? basis.newest : null);
  const at = newestOf(asOf, dayStart) ?? dayStart;
  const expires = asOf === null ? null : new Date(asOf.getTime() + ESTIMATE_DAYS * DAY_MS);
  return {
    min_usd: min,
    max_usd: max,
    label: `Est. $${min.toLocaleString('en-US')} to $${max.toLocaleString('en-US')}`,
    provenance: {
      source: 'model',
      method: 'price-1',
      measured_at: at.toISOString(),
      expires_at: expires?.toISOString() ?? null,
      label: 'Estimated',
      stale: expires !== null && at >= expires,
      as_of: asOf?.toISOString() ?? null,
    },
    calc: {
      calc_version: ESTIMATE_VERSION,
      inputs: {
        views,
        views_basis,
        reach_band: creator.reach_band,
        engagement_rate: creator.engagement_rate_30d,
        comparables: count,
      },
    },
  };
};
