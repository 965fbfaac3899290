import type { Basket } from './basket.js';
import type { Columns } from './columns.js';

/**
 * The most halvings of the price of money and narrowings of the price of a line; each step already gives a valid bound.
 */
const HALVINGS = 40;
const NARROWINGS = 30;
/** Both end early when what is left to find is under this share of the bound. */
const PRECISION = 1e-5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * A value that no plan under cap, K and the line limit can exceed (docs/domain/plans.md#plan-search): f is concave in
 * what each group holds, so its tangent at `basket` lies above it, and the best plan on the tangent is at most the
 * fractional multiple-choice knapsack over what a plan may hold at all. Band limits are relaxed. Never below f of the
 * basket itself.
 */
export const upperBound = (basket: Basket): number => {
  const { columns, left } = basket;
  let constant = 0;
  left.forEach((rest, group) => {
    const most = columns.reach[group] as number;
    if (most > 0) constant += most - rest + rest * Math.log(rest / most);
  });
  return Math.max(basket.value(), constant + relaxedKnapsack(columns, slopesOf(basket)));
};

/** What each option adds to the tangent at the basket. */
const slopesOf = ({ columns, left }: Basket): Float64Array =>
  Float64Array.from(columns.owner, (_, option) => {
    const first = (columns.band[option] as number) * columns.segments;
    let slope = 0;
    for (let segment = 0; segment < columns.segments; segment += 1) {
      const most = columns.reach[first + segment] as number;
      if (most > 0)
        slope +=
          ((left[first + segment] as number) / most) * (columns.views[option * columns.segments + segment] as number);
    }
    return slope;
  });

/** The fractional multiple-choice knapsack under the cap, K priced by one multiplier: the least over its values. */
const relaxedKnapsack = (columns: Columns, slopes: Float64Array): number => {
  const highest = slopes.reduce((most, slope) => Math.max(most, slope), 0);
  const at = (linePrice: number) => knapsackAt(columns, slopes, linePrice);
  let low = 0;
  let high = highest;
  let inner = { left: high - GOLDEN * high, right: GOLDEN * high };
  let values = { left: at(inner.left), right: at(inner.right) };
  let least = Math.min(at(0), values.left, values.right);
  for (let step = 0; step < NARROWINGS && (high - low) * columns.limits.lines > PRECISION * least; step += 1) {
    if (values.left <= values.right) {
      high = inner.right;
      inner = { left: high - GOLDEN * (high - low), right: inner.left };
      values = { left: at(inner.left), right: values.left };
    } else {
      low = inner.left;
      inner = { left: inner.right, right: low + GOLDEN * (high - low) };
      values = { left: values.right, right: at(inner.right) };
    }
    least = Math.min(least, values.left, values.right);
  }
  return least;
};

/** The fractional knapsack at one price of a line: by duality the least over the prices of money, found by halving. */
const knapsackAt = (columns: Columns, slopes: Float64Array, linePrice: number): number => {
  const { capCents } = columns.limits;
  let low = 0;
  let high = slopes.reduce(
    (most, slope, option) => Math.max(most, slope / Math.max(1, columns.cents[option] as number)),
    0,
  );
  let least = dual(columns, slopes, 0, linePrice).value;
  for (let step = 0; step < HALVINGS && (high - low) * capCents > PRECISION * least; step += 1) {
    const rate = (low + high) / 2;
    const { value, spent } = dual(columns, slopes, rate, linePrice);
    least = Math.min(least, value);
    if (spent > capCents) low = rate;
    else high = rate;
  }
  return least;
};

/** The Lagrangian at a price of money and of a line: every owner takes its best option, if any is worth its price. */
const dual = (
  columns: Columns,
  slopes: Float64Array,
  rate: number,
  linePrice: number,
): { value: number; spent: number } => {
  const { owner, cents, lines, limits, buyable } = columns;
  let value = rate * limits.capCents + linePrice * limits.lines;
  let spent = 0;
  let bestOfOwner = 0;
  let centsOfOwner = 0;
  let current = -1;
  for (let place = 0; place < buyable.length; place += 1) {
    const option = buyable[place] as number;
    if (owner[option] !== current) {
      value += bestOfOwner;
      spent += centsOfOwner;
      current = owner[option] as number;
      bestOfOwner = 0;
      centsOfOwner = 0;
    }
    const price = cents[option] as number;
    const rest = (slopes[option] as number) - rate * price - linePrice * (lines[option] as number);
    if (rest > bestOfOwner) {
      bestOfOwner = rest;
      centsOfOwner = price;
    }
  }
  return { value: value + bestOfOwner, spent: spent + centsOfOwner };
};
