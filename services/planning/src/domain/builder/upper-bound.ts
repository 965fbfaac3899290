import type { Basket } from './basket.js';
import type { Columns } from './columns.js';

/** Most halvings of the price of money and narrowings of the price of a line; each step is a valid bound already. */
const HALVINGS = 40;
const NARROWINGS = 30;
const PRECISION = 1e-5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** How often the tangent moves towards what it would buy, and the least fall of the bound that a move must bring. */
const TANGENTS = 12;
const LEAST_FALL = 1e-3;

/**
 * A value that no plan under cap, K and the line limit can exceed (docs/domain/plans.md#plan-search): f is concave in
 * what each group holds, so its tangent at any point lies above it, and the best plan on a tangent is at most the
 * fractional multiple-choice knapsack over what a plan may hold at all. The first tangent is at `basket`; each next one
 * is nearer to the knapsack of the one before, as in the method of Frank and Wolfe. The limits of bands and of
 * creators are relaxed. Never below f of the basket itself.
 */
export const upperBound = (basket: Basket): number => {
  const { columns } = basket;
  const left = Float64Array.from(basket.left);
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step < TANGENTS; step += 1) {
    const { value, bought } = relaxedKnapsack(columns, slopesAt(columns, left));
    const bound = tangentAt(columns, left) + value;
    if (step > 1 && bound > least * (1 + LEAST_FALL)) break;
    least = Math.min(least, bound);
    moveTowards(columns, left, bought, 2 / (step + 3));
  }
  return Math.max(basket.value(), least);
};

const tangentAt = ({ reach }: Columns, left: Float64Array): number =>
  left.reduce((sum, rest, group) => {
    const most = reach[group] as number;
    return most > 0 ? sum + most - rest + rest * Math.log(rest / most) : sum;
  }, 0);

const slopesAt = (columns: Columns, left: Float64Array): Float64Array =>
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

/** What is left of a curve falls exponentially with views. */
const moveTowards = (columns: Columns, left: Float64Array, options: readonly number[], part: number): void => {
  const views = new Float64Array(left.length);
  for (const option of options) {
    const first = (columns.band[option] as number) * columns.segments;
    for (let segment = 0; segment < columns.segments; segment += 1)
      views[first + segment] =
        (views[first + segment] as number) + (columns.views[option * columns.segments + segment] as number);
  }
  for (let group = 0; group < left.length; group += 1) {
    const most = columns.reach[group] as number;
    if (most > 0)
      left[group] =
        most *
        Math.exp((1 - part) * Math.log((left[group] as number) / most) - (part * (views[group] as number)) / most);
  }
};

/** Under the cap, K priced by one multiplier: the least over its values. */
const relaxedKnapsack = (columns: Columns, slopes: Float64Array): { value: number; bought: number[] } => {
  const highest = slopes.reduce((most, slope) => Math.max(most, slope), 0);
  let least = Number.POSITIVE_INFINITY;
  let bought: number[] = [];
  const at = (linePrice: number): number => {
    const { value, rate } = knapsackAt(columns, slopes, linePrice);
    if (value < least) {
      least = value;
      bought = boughtAt(columns, slopes, rate, linePrice);
    }
    return value;
  };
  at(0);
  let low = 0;
  let high = highest;
  let inner = { left: high - GOLDEN * high, right: GOLDEN * high };
  let values = { left: at(inner.left), right: at(inner.right) };
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
  }
  return { value: least, bought };
};

const knapsackAt = (columns: Columns, slopes: Float64Array, linePrice: number): { value: number; rate: number } => {
  const { capCents } = columns.limits;
  let low = 0;
  let high = slopes.reduce(
    (most, slope, option) => Math.max(most, slope / Math.max(1, columns.cents[option] as number)),
    0,
  );
  let least = { value: dual(columns, slopes, 0, linePrice).value, rate: 0 };
  for (let step = 0; step < HALVINGS && (high - low) * capCents > PRECISION * least.value; step += 1) {
    const rate = (low + high) / 2;
    const { value, spent } = dual(columns, slopes, rate, linePrice);
    if (value < least.value) least = { value, rate };
    if (spent > capCents) low = rate;
    else high = rate;
  }
  return least;
};

/** At a price of money and of a line: every owner takes its best option, if any is worth its price. */
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

const boughtAt = (columns: Columns, slopes: Float64Array, rate: number, linePrice: number): number[] => {
  const { owner, cents, lines, buyable } = columns;
  const best = new Map<number, { option: number; rest: number }>();
  for (const option of buyable) {
    const rest = (slopes[option] as number) - rate * (cents[option] as number) - linePrice * (lines[option] as number);
    const held = best.get(owner[option] as number);
    if (rest > (held?.rest ?? 0)) best.set(owner[option] as number, { option, rest });
  }
  return [...best.values()].map(({ option }) => option);
};
