import { SEARCH } from '../constants.js';
import { Basket } from './basket.js';
import { type Columns, narrowed } from './columns.js';
import { fill } from './greedy.js';
import { improve } from './local-search.js';
import { refill } from './refill.js';
import { trim } from './spend-rule.js';

const SAME_VALUE = 1e-9;

/** `further` are sets under the limits to start from as well (docs/domain/plans.md#plan-search). */
export const search = (
  columns: Columns,
  of: { spendShare: number; further: readonly (readonly number[])[] },
): Basket => {
  const { spendShare } = of;
  const byRate = ranked(
    columns,
    (option) => (columns.value[option] as number) / Math.max(1, columns.cents[option] as number),
  );
  const byValue = ranked(columns, (option) => columns.value[option] as number);
  const best = [...byRate.slice(0, SEARCH.bestByRate), ...byValue.slice(0, SEARCH.bestByValue)];
  const seeds = new Set([...byValue.slice(0, SEARCH.seedsOfEach), ...byRate.slice(0, SEARCH.seedsOfEach)]);
  const plain = run(new Basket(columns), columns.buyable, { moves: SEARCH.movesOfPlain, spendShare });

  const places = Int32Array.from(new Set([...best, ...plain.held, ...of.further.flat()])).sort();
  const few = narrowed(columns, places);
  const start = (options: readonly number[]): Basket =>
    new Basket(
      few,
      options.map((option) => places.indexOf(option)),
    );
  const field = Int32Array.from(new Set(best), (option) => places.indexOf(option)).sort();
  const seeded = [...[...seeds].map((seed) => [seed]), ...of.further].map((options) =>
    run(start(options), field, { moves: SEARCH.movesOfSeed, spendShare }),
  );
  const found = distinct([start(plain.held), ...seeded])
    .sort((one, other) => (isBetter(one, other) ? -1 : 1))
    .slice(0, SEARCH.refilled)
    .map((one) => refill(one, field, { rounds: SEARCH.refills, moves: SEARCH.movesOfSeed, spendShare }))
    .concat(of.further.map(start))
    .reduce((first, one) => (isBetter(one, first) ? one : first));
  return finished(
    new Basket(
      columns,
      found.held.map((option) => places[option] as number),
    ),
    spendShare,
  );
};

const finished = (basket: Basket, spendShare: number): Basket => {
  improve(basket, basket.columns.buyable, { moves: SEARCH.movesOfSeed, spendShare });
  fill(basket, basket.columns.buyable, spendShare);
  return new Basket(basket.columns, basket.held);
};

/** The result is computed from scratch, so that equal sets have equal values. */
const run = (basket: Basket, field: Int32Array, of: { moves: number; spendShare: number }): Basket => {
  fill(basket, field, of.spendShare);
  improve(basket, field, of);
  trim(basket, of.spendShare);
  return new Basket(basket.columns, basket.held);
};

const distinct = (baskets: readonly Basket[]): Basket[] => [
  ...new Map(baskets.map((basket) => [basket.held.join(' '), basket])).values(),
];

const ranked = ({ buyable }: Columns, rank: (option: number) => number): number[] =>
  [...buyable].sort((one, other) => rank(other) - rank(one) || one - other);

/** Higher f; then lower total, then smaller list of creators, then of options. */
const isBetter = (one: Basket, other: Basket): boolean => {
  const [value, rival] = [one.value(), other.value()];
  if (Math.abs(value - rival) > SAME_VALUE * Math.max(value, rival)) return value > rival;
  if (one.cents !== other.cents) return one.cents < other.cents;
  const creators = ({ columns, held }: Basket): number[] => held.map((option) => columns.owner[option] as number);
  return (order(creators(one), creators(other)) || order(one.held, other.held)) < 0;
};

const order = (one: readonly number[], other: readonly number[]): number => {
  const at = one.findIndex((item, index) => item !== other[index]);
  return at === -1 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? Number.NEGATIVE_INFINITY);
};
