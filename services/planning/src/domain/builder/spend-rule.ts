// Money is spent only while it buys enough (docs/domain/plans.md#plan-search).
import type { Basket } from './basket.js';

export const leastRate = (basket: Basket, spendShare: number): number =>
  basket.cents === 0 ? 0 : (spendShare * basket.value()) / basket.cents;

/** Seeds and swaps are not checked, and later moves may leave behind what is no longer worth its price. */
export const trim = (basket: Basket, spendShare: number): void => {
  const { cents } = basket.columns;
  const rateOf = (option: number): number => basket.loss(option) / Math.max(1, cents[option] as number);
  while (spendShare > 0 && basket.held.length > 1) {
    const poorest = basket.held.reduce((least, one) => (rateOf(one) < rateOf(least) ? one : least));
    const rest = basket.cents - (cents[poorest] as number);
    const restRate = (basket.value() - basket.loss(poorest)) / Math.max(1, rest);
    if (rateOf(poorest) >= spendShare * restRate) return;
    basket.remove(poorest);
  }
};
