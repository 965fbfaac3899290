import type { AudienceWeights, Candidate, Goal, LeftOutLimit, NoPlanReason } from '@cds/contracts';
import { SPEND_SHARE } from '../constants.js';
import type { Basket } from './basket.js';
import { type Offered, type Option, offered } from './candidates.js';
import { columnsOf } from './columns.js';
import { cheapestOf, limitsOf } from './limits.js';
import { fullBy, type LeftOut, leftOutOf, marginalValues } from './reasons.js';
import { search } from './search.js';
import { upperBound } from './upper-bound.js';
import { type CreatorAnswers, NO_ANSWERS } from './value.js';

/** What a plan is chosen for. `postTwice` says whether there are enough days for two posts of one creator. */
export type Brief = {
  goal: Goal;
  audience: AudienceWeights;
  capCents: number;
  postTwice: boolean;
  maxCreators?: number;
};

/** `marginal` is what f would lose without one line of each option, `leftOut` the best creators left out. */
export type Choice = {
  options: Option[];
  value: number;
  bound: number;
  gap: number;
  marginal: number[];
  leftOut: LeftOut[];
  /** Null where every candidate is on it. */
  full: LeftOutLimit | null;
};

export type Chosen =
  | { choice: Choice; noPlan: null }
  | { choice: null; noPlan: Extract<NoPlanReason, 'no_candidates' | 'budget_too_small'> };

export type Steering = {
  answers?: CreatorAnswers;
  further?: readonly (readonly Pick<Option, 'unit' | 'lines'>[])[];
  spendShare?: number;
};

/** Neither clock nor random numbers: the same candidates in any order give the same choice (docs/domain/plans.md). */
export const choose = (given: readonly Candidate[], brief: Brief, steering: Steering = {}): Chosen => {
  const { answers = NO_ANSWERS, further = [], spendShare = SPEND_SHARE } = steering;
  const pool = offered(given, { goal: brief.goal, postTwice: brief.postTwice, answers });
  if (pool.candidates.length === 0) return { choice: null, noPlan: 'no_candidates' };
  if (brief.capCents < Math.min(...cheapestOf(pool))) return { choice: null, noPlan: 'budget_too_small' };

  const columns = columnsOf(pool, limitsOf(pool, brief), brief.audience);
  const best = search(columns, { spendShare, further: further.map((start) => placesOf(pool, start)) });
  return best.held.length === 0
    ? { choice: null, noPlan: 'no_candidates' }
    : { choice: choiceOf(pool, best), noPlan: null };
};

const choiceOf = (pool: Offered, basket: Basket): Choice => {
  const value = basket.value();
  const bound = upperBound(basket);
  const marginal = marginalValues(basket);
  const leftOut = leftOutOf(pool, basket);
  const chosen = basket.held
    .flatMap((place, at) => {
      const option = pool.options[place];
      return option === undefined ? [] : [{ option, marginal: marginal[at] ?? 0 }];
    })
    .sort(({ option: one }, { option: other }) => other.value - one.value || one.owner - other.owner);
  return {
    options: chosen.map(({ option }) => option),
    value,
    bound,
    gap: 1 - value / bound,
    marginal: chosen.map((one) => one.marginal),
    leftOut,
    full: fullBy(basket, leftOut),
  };
};

const placesOf = ({ options }: Offered, start: readonly Pick<Option, 'unit' | 'lines'>[]): number[] =>
  options.flatMap(({ unit, lines }, place) =>
    start.some((one) => one.unit.unit_id === unit.unit_id && one.lines === lines) ? [place] : [],
  );
