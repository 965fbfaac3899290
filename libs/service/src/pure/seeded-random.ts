import { createHash } from 'node:crypto';

// The choices of sandbox creators: the same seed and script give the same run (docs/domain/orders.md#sandbox-creators).

/** What a draw depends on: the workspace's seed, the campaign's number, the line's number in the plan, the attempt. */
export type RandomKey = { seed: number; campaignNumber: number; lineNumber: number; attempt: number };

/** The seed of a sandbox workspace that was never reset with another one. */
export const DEFAULT_SEED = 1;

/**
 * From 0 up to 1: the first 53 bits of SHA-256 over `seed|campaign number|line number|attempt|label`
 * (docs/domain/orders.md#sandbox-creators).
 */
export const seededRandom = (key: RandomKey, label: string): number => {
  const text = [key.seed, key.campaignNumber, key.lineNumber, key.attempt, label].join('|');
  const first64Bits = createHash('sha256').update(text, 'utf8').digest().readBigUInt64BE(0);
  return Number(first64Bits >> 11n) / 2 ** 53;
};

/** n(label): the standard normal quantile of u(label). Source: docs/domain/orders.md#sandbox-creators. */
export const seededNormal = (key: RandomKey, label: string): number => normalQuantile(seededRandom(key, label));

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
/** Below this probability, and above its mirror, the formula for the tails applies. */
const TAIL = 0.02425;

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** The inverse of the standard normal distribution: P. J. Acklam's rational approximation, relative error < 1.2e-9. */
export const normalQuantile = (probability: number): number => {
  const p = Math.min(Math.max(probability, 2 ** -53), 1 - 2 ** -53);
  if (p > 1 - TAIL) return -normalQuantile(1 - p);
  if (p < TAIL) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(C, q) / polynomial(D, q);
  }
  const q = p - 0.5;
  const r = q * q;
  return (polynomial(A, r) * q) / polynomial(B, r);
};
