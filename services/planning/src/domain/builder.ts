import type { Candidate } from '@cds/contracts';
import { BUILDER, MATCH } from './constants.js';

/** A unit that the builder may buy: one format of one candidate. */
export type Option = { candidate: Candidate; unit: Candidate['units'][number]; value: number };

/** What the builder chose, by falling value; or why there is nothing to choose (domain 2-plans 3.4). */
export type Choice =
  | { options: Option[]; noPlan: null }
  | { options: null; noPlan: 'no_candidates' | 'budget_too_small' };

/** q of domain 2-plans 3.2: expected views, weighed by the match; an audience without segments counts as a match of 50. */
export const qualifiedViews = (candidate: Candidate, unit: Candidate['units'][number]): number =>
  unit.expected_views * (MATCH.floor + (MATCH.slope * (candidate.match_score ?? MATCH.unresolved)) / 100);

/**
 * Chooses the lines of a plan: a greedy fill by value per cent under `capCents`, one option per creator, at most K lines,
 * none above the line limit (domain 2-plans 3.1). The order of the candidates changes nothing, no clock is read.
 */
export const choose = (candidates: readonly Candidate[], capCents: number): Choice => {
  const sorted = [...candidates]
    .filter((candidate) => candidate.units.length > 0)
    .sort((one, other) => (one.creator_id < other.creator_id ? -1 : 1));
  if (sorted.length === 0) return { options: null, noPlan: 'no_candidates' };

  const cheapest = sorted.map((candidate) => Math.min(...candidate.units.map((unit) => unit.price_cents)));
  if (capCents < Math.min(...cheapest)) return { options: null, noPlan: 'budget_too_small' };

  const m = median(cheapest);
  const most = Math.min(BUILDER.maxLines, Math.max(1, Math.round((BUILDER.linesPerMedian * capCents) / m)));
  const lineLimit = Math.max(BUILDER.capShare * capCents, Math.min(capCents, BUILDER.medianShare * m));
  const options = sorted
    .flatMap((candidate) =>
      candidate.units.map((unit) => ({ candidate, unit, value: qualifiedViews(candidate, unit) })),
    )
    .filter((option) => option.unit.price_cents <= lineLimit)
    .sort((one, other) => perCent(other) - perCent(one) || byIds(one, other));

  const chosen: Option[] = [];
  const taken = new Set<string>();
  let left = capCents;
  for (const option of options) {
    if (chosen.length === most) break;
    if (option.unit.price_cents > left || taken.has(option.candidate.creator_id)) continue;
    chosen.push(option);
    taken.add(option.candidate.creator_id);
    left -= option.unit.price_cents;
  }
  return { options: chosen.sort((one, other) => other.value - one.value || byIds(one, other)), noPlan: null };
};

const perCent = ({ value, unit }: Option): number => value / Math.max(1, unit.price_cents);

const byIds = (one: Option, other: Option): number =>
  `${one.candidate.creator_id}|${one.unit.unit_id}` < `${other.candidate.creator_id}|${other.unit.unit_id}` ? -1 : 1;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
};
