import { describe, expect, it } from '@jest/globals';
import { shortlistFor } from './shortlist.js';

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
    expect(shortlistFor(budget, bookable).limit).toBe(size);
  });

  it.each([
    [
      1_000,
      [priced(100, 60), priced(200, 80)],
      '$1,000 buys 6 posts at $150, the median of the good fits; a shortlist is three times that. The budget filters nobody.',
    ],
    [
      100,
      [priced(100, 20)],
      '$100 buys 1 post at $100, the median of the creators on sale; a shortlist is three times that, at least 10. The budget filters nobody.',
    ],
    [
      100_000,
      [priced(100, 60)],
      '$100,000 buys 1,000 posts at $100, the median of the good fits; a shortlist is three times that, at most 50. The budget filters nobody.',
    ],
    [100, [], 'Nobody on this list has a price now, so 25 are shown.'],
  ])('of $%p says why', (budget, bookable, why) => {
    expect(shortlistFor(budget, bookable).why).toBe(why);
  });
});
