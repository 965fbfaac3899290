/** Medians, percentiles and rounding as docs/domain/network.md#the-network defines them. */

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The middle value; the mean of the middle two for an even count; null for none. */
export const median = (values: readonly number[]): number | null => {
  if (values.length === 0) return null;
  const sorted = ascending(values);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
};

/** Rounds half up to `decimals` digits. The small offset corrects binary fractions such as 1.005. */
export const roundHalfUp = (value: number, decimals = 0): number => {
  const scale = 10 ** decimals;
  return Math.floor(value * scale + 0.5 + 1e-9) / scale;
};

/** Half up; values under 1 round to whole numbers. */
export const twoSignificant = (value: number): number => {
  if (value < 1) return roundHalfUp(value);
  const step = Math.max(1, 10 ** (Math.floor(Math.log10(value)) - 1));
  return roundHalfUp(value / step) * step;
};

/** The share of `sorted` below `value` plus half of those equal to it. `sorted` is ascending. */
export const percentileIn = (sorted: ArrayLike<number>, value: number): number =>
  sorted.length === 0 ? 0 : (bound(sorted, value, false) + bound(sorted, value, true)) / 2 / sorted.length;

/** How many of `sorted` are below `value`, or at most `value` if `inclusive`. */
const bound = (sorted: ArrayLike<number>, value: number, inclusive: boolean): number => {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (inclusive && at === value)) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** The value at a share of a sorted list, interpolated. `sorted` is ascending and not empty. */
export const quantileIn = (sorted: ArrayLike<number>, share: number): number => {
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? 0;
  const upper = sorted[Math.ceil(place)] ?? lower;
  return lower + (upper - lower) * (place - Math.floor(place));
};
