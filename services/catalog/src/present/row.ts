/**
 * A list row, encoded once a day: fields that depend on the request come first, so that a page is joined from ready
 * bytes (docs/performance.md#reads, rule 1).
 */
import type { Goal, MatchReason, PriceEstimate } from '@cds/contracts';
import { matchLabel } from '../domain/matching/score.js';
import { presentListedCollabs } from './collab.js';
import { presentAdvice, presentShared, type RowFacts } from './creator.js';

/** `advice` is JSON by goal: launch and funding share theirs, and so do feature and program. */
export type EncodedRow = {
  suffix: Buffer;
  median: string;
  advice: { none: string; launch: string; feature: string };
};

export const encodeRow = (creator: RowFacts, day: string, appUrl: string): EncodedRow => {
  const advice = (goal: Goal | null): string => JSON.stringify(presentAdvice(creator, day, goal));
  const shared = JSON.stringify({
    ...presentShared(creator, day, appUrl),
    past_collabs: presentListedCollabs(creator),
    views_series: creator.views_series,
  });
  return {
    suffix: Buffer.from(`,${shared.slice(1)}`),
    median: JSON.stringify(creator.median_views_30d),
    advice: { none: advice(null), launch: advice('launch'), feature: advice('feature') },
  };
};

const adviceOf = ({ advice }: EncodedRow, goal: Goal | null): string => {
  switch (goal) {
    case null:
      return advice.none;
    case 'launch':
    case 'funding':
      return advice.launch;
    case 'feature':
    case 'program':
      return advice.feature;
  }
};

export const rowPrefix = (
  row: EncodedRow,
  of: {
    score: number | null;
    audience: string | null;
    reasons: MatchReason[];
    estimate: PriceEstimate | null;
    goal: Goal | null;
    withDeprecatedAliases: boolean;
  },
): string => {
  const alias = of.withDeprecatedAliases ? `"median_views_30d":${row.median},` : '';
  const label = of.score === null ? 'null' : JSON.stringify(matchLabel(of.score, of.audience));
  return `{${alias}"match_score":${of.score},"match_label":${label},"match_reasons":${JSON.stringify(of.reasons)},"price_estimate":${JSON.stringify(of.estimate)},"advice":${adviceOf(row, of.goal)}`;
};
