// Who may be on a plan, and the ways to buy them (docs/domain/plans.md#candidates).
import type { Candidate, Goal } from '@cds/contracts';
import { POST_TWICE } from '../constants.js';
import { type CreatorAnswers, qualifiedViews } from './value.js';

/** A unit once, or a post twice, which makes two lines. `value` is q in qualified views, `cents` of all its lines. */
export type Option = {
  owner: number;
  candidate: Candidate;
  unit: Candidate['units'][number];
  lines: 1 | 2;
  cents: number;
  value: number;
};

export type Offered = { candidates: Candidate[]; options: Option[] };

/** Sorted by id, so that no sum depends on the order they came in; without creators who declined lately. */
export const offered = (
  given: readonly Candidate[],
  of: { goal: Goal; postTwice: boolean; answers: CreatorAnswers },
): Offered => {
  const candidates = given
    .filter(({ creator_id, units }) => units.length > 0 && !of.answers.declinedLately(creator_id))
    .sort((one, other) => compare(one.creator_id, other.creator_id));
  return { candidates, options: candidates.flatMap((candidate, owner) => optionsOf(candidate, owner, of)) };
};

const optionsOf = (candidate: Candidate, owner: number, of: Parameters<typeof offered>[1]): Option[] => {
  const offers = of.answers.offersOf(candidate.creator_id);
  return [...candidate.units]
    .sort((one, other) => compare(one.unit_id, other.unit_id))
    .flatMap((unit): Option[] => {
      const value = qualifiedViews(candidate, unit, { goal: of.goal, offers });
      const once: Option = { owner, candidate, unit, lines: 1, cents: unit.price_cents, value };
      return of.postTwice && unit.format === 'post'
        ? [once, { ...once, lines: 2, cents: 2 * once.cents, value: POST_TWICE.value * value }]
        : [once];
    });
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
