import { Basket } from './basket.js';
import { fill } from './greedy.js';
import { improve } from './local-search.js';
import { trim } from './spend-rule.js';

const LEAST_RISE = 1e-9;

/** For sets that one-for-one swaps cannot improve, because one option costs as much as several. */
export const refill = (
  start: Basket,
  field: Int32Array,
  of: { rounds: number; moves: number; spendShare: number },
): Basket => {
  let best = start;
  for (let round = 0; round < of.rounds; round += 1) {
    const least = best.value() * (1 + LEAST_RISE);
    const found = [...withoutSome(best, field, of.spendShare), ...withOneMore(best, field, of.spendShare)].reduce(
      (most, one) => (one.value() > most.value() ? one : most),
      new Basket(best.columns, best.held),
    );
    improve(found, field, of);
    trim(found, of.spendShare);
    if (found.value() <= least) break;
    best = new Basket(start.columns, found.held);
  }
  return best;
};

const withoutSome = (basket: Basket, field: Int32Array, spendShare: number): Basket[] =>
  basket.held
    .flatMap((one, place) => [[one], ...basket.held.slice(place + 1).map((other) => [one, other])])
    .map((out) => {
      const rest = new Basket(
        basket.columns,
        basket.held.filter((option) => !out.includes(option)),
      );
      fill(
        rest,
        field.filter((option) => !out.includes(option)),
        spendShare,
      );
      fill(rest, field, spendShare);
      return rest;
    });

const withOneMore = (basket: Basket, field: Int32Array, spendShare: number): Basket[] =>
  [...field]
    .filter((option) => !basket.held.includes(option))
    .flatMap((option) =>
      [poorest, leastLoss].map((giveUp) => {
        const around = new Basket(basket.columns, basket.held);
        const holder = around.heldOf[basket.columns.owner[option] as number] as number;
        if (holder !== -1) around.remove(holder);
        while (!around.fits(option)) around.remove(giveUp(around, option));
        around.add(option);
        fill(around, field, spendShare);
        return around;
      }),
    );

const poorest = (basket: Basket): number =>
  least(basket.held, (out) => basket.loss(out) / Math.max(1, basket.columns.cents[out] as number));

const leastLoss = (basket: Basket, option: number): number => {
  const enough = basket.held.filter((out) => basket.fitsFor(option, out));
  return enough.length === 0 ? poorest(basket) : least(enough, (out) => basket.loss(out));
};

const least = (options: readonly number[], rank: (option: number) => number): number =>
  options.reduce((best, one) => (rank(one) < rank(best) ? one : best));
