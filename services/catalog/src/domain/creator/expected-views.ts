import { FORMATS, type Format, type ReachBand } from '@cds/contracts';
import {
  FORMAT_FACTOR,
  LEAST_MEASURED,
  PAID_FACTOR,
  PRIOR_DEGREES,
  PRIOR_POSTS,
  PRIOR_SPREAD,
  QUANTILE_80,
  VIEWS_PER_FOLLOWER,
} from '../constants.js';
import { median, roundHalfUp, twoSignificant } from '../statistics.js';
import type { ExpectedViews, ViewsRange } from './creator.js';

/** Null with fewer than three measured posts. Source: docs/domain/network.md#expected-views. */
export const expectedViews = (
  matureViews: readonly number[],
  followers: number | null,
  band: ReachBand,
): ExpectedViews | null => {
  const n = matureViews.length;
  if (n < LEAST_MEASURED) return null;

  const logs = matureViews.map((views) => Math.log(Math.max(views, 1)));
  const middle = median(logs) ?? 0;
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  const mu =
    followers === null || followers === 0
      ? middle
      : (n * middle + PRIOR_POSTS * Math.log(followers * VIEWS_PER_FOLLOWER[band])) / (n + PRIOR_POSTS);
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const variance = (squares + PRIOR_DEGREES * PRIOR_SPREAD ** 2) / (n - 1 + PRIOR_DEGREES);
  const spread = Math.sqrt(variance * (1 + 1 / n));

  const range = (format: Format): ViewsRange => {
    const at = (shift: number) => twoSignificant(Math.exp(mu + shift * spread) * FORMAT_FACTOR[format] * PAID_FACTOR);
    return { mid: at(0), low: at(-QUANTILE_80), high: at(QUANTILE_80) };
  };
  return Object.fromEntries(FORMATS.map((format) => [format, range(format)])) as Record<Format, ViewsRange>;
};

export const costPer1kCents = (priceCents: number, views: number | null): number | null =>
  views === null || views === 0 ? null : roundHalfUp((priceCents * 1000) / views);
