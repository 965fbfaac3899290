// Readings that stand out (docs/domain/orders.md#unusual-readings): a statistical sign, never an accusation.
import { ENGAGEMENT_FALLS_TO, HISTORY_LEAST, ROBUST_Z, VIEWS_RISE_TO } from './constants.js';
import type { Metrics } from './reading.js';

export type Counted = Pick<Metrics, 'views' | 'likes' | 'comments' | 'shares'>;

export type Expectation = { views_high: number | null; engagement_rate: number | null };

/**
 * Views are compared on a logarithmic scale by the robust z-score of Iglewicz and Hoaglin, 0.6745 (x - median) / MAD,
 * or with the expected ones where the creator has too few other posts.
 */
export const isUnusual = (reading: Counted, history: readonly Counted[], expected: Expectation): boolean => {
  const views = reading.views ?? 0;
  const share = engagementOf(reading);
  if (views <= 0 || share === null) return false;
  const others = history.flatMap((one) => {
    const engagement = engagementOf(one);
    return one.views !== null && one.views > 0 && engagement !== null ? [{ views: one.views, engagement }] : [];
  });
  if (others.length >= HISTORY_LEAST) {
    const z = robustZ(
      Math.log(views),
      others.map((one) => Math.log(one.views)),
    );
    return z > ROBUST_Z && share < median(others.map((one) => one.engagement)) * ENGAGEMENT_FALLS_TO;
  }
  const { views_high, engagement_rate } = expected;
  return (
    views_high !== null &&
    engagement_rate !== null &&
    views > views_high * VIEWS_RISE_TO &&
    share < (engagement_rate / 100) * ENGAGEMENT_FALLS_TO
  );
};

const engagementOf = ({ views, likes, comments, shares }: Counted): number | null =>
  views === null || views === 0 || (likes === null && comments === null && shares === null)
    ? null
    : ((likes ?? 0) + (comments ?? 0) + (shares ?? 0)) / views;

/** Of values that are all the same, any other is infinitely far away. */
const robustZ = (value: number, values: readonly number[]): number => {
  const middle = median(values);
  const spread = median(values.map((one) => Math.abs(one - middle)));
  return value === middle ? 0 : (0.6745 * (value - middle)) / spread;
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
};
