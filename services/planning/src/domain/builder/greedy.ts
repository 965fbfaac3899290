import type { Basket } from './basket.js';
import { leastRate } from './spend-rule.js';

/**
 * Adds the option with the most gain per max(price, money left / lines left) until nothing fits or the spend rule stops
 * it (docs/domain/plans.md#plan-search). Gains only fall as the set grows, so options whose last known gain is too
 * small are not computed again.
 */
export const fill = (basket: Basket, field: Int32Array, spendShare: number): void => {
  const { columns } = basket;
  const known = new Float64Array(field.length).fill(Number.POSITIVE_INFINITY);
  for (;;) {
    const least = leastRate(basket, spendShare);
    const floor = (columns.limits.capCents - basket.cents) / Math.max(1, columns.limits.lines - basket.lines);
    let best = -1;
    let bestRate = 0;
    for (let place = 0; place < field.length; place += 1) {
      const option = field[place] as number;
      const cents = Math.max(1, columns.cents[option] as number);
      const price = Math.max(cents, floor);
      const most = known[place] as number;
      if (most <= bestRate * price || most < least * cents) continue;
      if (!basket.fits(option)) continue;
      const gain = basket.gain(option);
      known[place] = gain;
      if (gain > bestRate * price && gain >= least * cents) {
        best = option;
        bestRate = gain / price;
      }
    }
    if (best === -1) return;
    basket.add(best);
  }
};
