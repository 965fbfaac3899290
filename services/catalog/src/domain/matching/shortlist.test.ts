import { describe, expect, it } from '@jest/globals';
import { shortlistSize } from './shortlist.js';

const priced = (usd: number, score: number | null) => ({ cheapestCents: usd * 100, score });

describe('the shortlist', () => {
  it.each([
    [
      'is three times the posts that the budget buys at the good fits’ median',
      1_000,
      [priced(100, 60), priced(200, 80), priced(9_000, 10)],
      18,
    ],
    ['takes every bookable creator when none fits well', 1_000, [priced(100, 50), priced(200, null)], 18],
    ['is at least 10', 100, [priced(100, 60)], 10],
    ['is at most 50', 100_000, [priced(100, 60)], 50],
    ['is 25 when nobody is on sale', 1_000, [], 25],
  ])('%s', (_name, budget, bookable, size) => {
    expect(shortlistSize(budget, bookable)).toBe(size);
  });
});
