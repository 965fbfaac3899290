import type { Basket } from './basket.js';
import { leastRate } from './spend-rule.js';

/** A smaller share of f may be rounding. */
const LEAST_RISE = 1e-12;

type Move = { out: number; into: number; rise: number };

/** At most `moves` times; every move is feasible and raises f (docs/domain/plans.md#plan-search). */
export const improve = (basket: Basket, field: Int32Array, of: { moves: number; spendShare: number }): void => {
  const gains = new Float64Array(field.length);
  for (let move = 0; move < of.moves; move += 1) {
    const least = LEAST_RISE * basket.value();
    field.forEach((option, place) => {
      gains[place] = basket.gain(option);
    });
    const added = bestAddition(basket, field, gains, of.spendShare);
    const best = bestExchange(basket, field, gains, added ?? { out: -1, into: -1, rise: least });
    if (best.into === -1 || best.rise <= least) return;
    if (best.out !== -1) basket.remove(best.out);
    basket.add(best.into);
  }
};

const bestAddition = (basket: Basket, field: Int32Array, gains: Float64Array, spendShare: number): Move | null => {
  const { cents } = basket.columns;
  const least = leastRate(basket, spendShare);
  let best: Move | null = null;
  for (let place = 0; place < field.length; place += 1) {
    const option = field[place] as number;
    const rise = gains[place] as number;
    if (rise <= (best?.rise ?? 0) || rise < least * (cents[option] as number)) continue;
    if (basket.fits(option)) best = { out: -1, into: option, rise };
  }
  return best;
};

/**
 * Null unless it beats `best`. Removing an option changes only the gains of its own band, each by at most the largest
 * ratio of its groups; only options above that bound are computed.
 */
const bestExchange = (basket: Basket, field: Int32Array, gains: Float64Array, best: Move): Move => {
  const { columns } = basket;
  for (const out of basket.held) {
    const without = withoutOption(basket, out);
    for (let place = 0; place < field.length; place += 1) {
      const gain = gains[place] as number;
      if (gain * without.ratio - without.loss <= best.rise) continue;
      const into = field[place] as number;
      if (into === out || !basket.fitsFor(into, out)) continue;
      const same = columns.band[into] === columns.band[out];
      const rise = (same ? gainOn(without.left, basket, into) : gain) - without.loss;
      if (rise > best.rise) best = { out, into, rise };
    }
  }
  return best;
};

type Without = { left: Float64Array; loss: number; ratio: number };

/** The groups without the option, the loss of f, and by how much gains may rise. */
const withoutOption = ({ columns, left }: Basket, option: number): Without => {
  const { segments, taken, band } = columns;
  const first = (band[option] as number) * segments;
  const without: Without = { left: new Float64Array(segments), loss: 0, ratio: 1 };
  for (let segment = 0; segment < segments; segment += 1) {
    const ratio = 1 / (1 - (taken[option * segments + segment] as number));
    const before = (left[first + segment] as number) * ratio;
    without.left[segment] = before;
    without.loss += before - (left[first + segment] as number);
    without.ratio = Math.max(without.ratio, ratio);
  }
  return without;
};

const gainOn = (left: Float64Array, { columns }: Basket, option: number): number => {
  let sum = 0;
  for (let segment = 0; segment < columns.segments; segment += 1)
    sum += (left[segment] as number) * (columns.taken[option * columns.segments + segment] as number);
  return sum;
};
