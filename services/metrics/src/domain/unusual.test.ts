import { describe, expect, it } from '@jest/globals';
import { isUnusual } from './unusual.js';

const counted = (views: number | null, engagements: number | null) => ({
  views,
  likes: engagements,
  comments: engagements === null ? null : 0,
  shares: null,
});
const EXPECTED = { views_high: 27_000, engagement_rate: 2 };
const NOTHING = { views_high: null, engagement_rate: null };
const HISTORY = [10_000, 12_000, 9_000, 14_000, 11_000, 8_000].map((views) => counted(views, views * 0.02));

/** docs/domain/orders.md#unusual-readings. */
describe('a reading', () => {
  it.each<[string, ReturnType<typeof counted>, typeof HISTORY, typeof EXPECTED | typeof NOTHING, boolean]>([
    ['like the creator’s others', counted(13_000, 250), HISTORY, EXPECTED, false],
    ['of a post that went viral, with engagement', counted(400_000, 8_000), HISTORY, EXPECTED, false],
    ['with many views and hardly any engagement', counted(400_000, 300), HISTORY, EXPECTED, true],
    ['with few views and no engagement', counted(9_000, 0), HISTORY, EXPECTED, false],
    ['without history, within what is expected', counted(27_000, 10), [], EXPECTED, false],
    ['without history, far beyond what is expected', counted(200_000, 100), [], EXPECTED, true],
    ['without history, far beyond, with engagement', counted(200_000, 4_000), [], EXPECTED, false],
    ['without history or expectation', counted(900_000, 0), [], NOTHING, false],
    ['without views', counted(null, 10), HISTORY, EXPECTED, false],
    ['whose engagement nobody counted', counted(900_000, null), HISTORY, EXPECTED, false],
    ['beside four posts, which are too few', counted(50_000, 100), HISTORY.slice(0, 4), EXPECTED, false],
  ])('%s is unusual: %#', (_what, reading, history, expected, unusual) => {
    expect(isUnusual(reading, history, expected)).toBe(unusual);
  });

  it('beside posts that are all the same stands out as soon as it differs', () => {
    const same = Array.from({ length: 6 }, () => counted(10_000, 200));
    expect(isUnusual(counted(10_000, 1), same, EXPECTED)).toBe(false);
    expect(isUnusual(counted(90_000, 1), same, EXPECTED)).toBe(true);
  });
});
