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

describe('what a reading is compared with', () => {
  const usual = (views: number, engagement = 0.02) => counted(views, views * engagement);
  const odd = counted(400_000, 300);

  it.each<[unusual: boolean, what: string, history: (typeof HISTORY)[number][]]>([
    [true, 'five posts, in any order', [14_000, 8_000, 12_000, 9_000, 11_000].map((views) => usual(views))],
    [
      true,
      'posts without those that nobody counted',
      [...HISTORY.slice(0, 5), counted(null, 9), counted(0, 0), counted(9_000_000, null)],
    ],
    [
      false,
      'posts among which such views are usual',
      [100_000, 400_000, 20_000, 900_000, 50_000].map((views) => usual(views)),
    ],
    [
      false,
      'posts with as little engagement',
      [10_000, 12_000, 9_000, 14_000, 11_000].map((views) => usual(views, 0.001)),
    ],
  ])('%s: %s', (unusual, _what, history) => {
    expect(isUnusual(odd, history, NOTHING)).toBe(unusual);
  });

  it('is the middle of an even number of posts, and the middle one of an odd number', () => {
    const spread = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000].map((views) => usual(views));
    const at = (views: number, history: typeof spread) => isUnusual(counted(views, 1), history, NOTHING);
    expect([at(240_000, spread), at(1_400_000, spread)]).toEqual([false, true]);
    expect([at(100_000, spread.slice(0, 5)), at(1_000_000, spread.slice(0, 5))]).toEqual([false, true]);
  });

  it.each<[unusual: boolean, views: number, engagements: number, expected: typeof EXPECTED | typeof NOTHING]>([
    [false, 81_000, 100, EXPECTED],
    [true, 81_001, 100, EXPECTED],
    [false, 300_000, 2_000, EXPECTED],
    [true, 300_000, 1_999, EXPECTED],
    [false, 300_000, 1, { ...EXPECTED, views_high: null as never }],
    [false, 300_000, 1, { ...EXPECTED, engagement_rate: null as never }],
    [false, 0, 0, { views_high: -1, engagement_rate: 2 }],
  ])('of too few posts is what was expected: %s at %i views with %i', (unusual, views, engagements, expected) => {
    expect(isUnusual(counted(views, engagements), [], expected)).toBe(unusual);
  });

  it('counts likes, comments and shares as engagement, whichever are known', () => {
    const views = 300_000;
    const of = (likes: number | null, comments: number | null, shares: number | null) =>
      isUnusual({ views, likes, comments, shares }, [], EXPECTED);
    expect([of(1_000, 500, 500), of(999, 500, 500), of(2_000, null, null), of(null, 2_000, null)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect([of(null, null, 2_000), of(null, null, 1), of(null, 1, null), of(1, null, null)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(of(null, null, null)).toBe(false);
  });

  it('of posts with the very same views is not more than they have', () => {
    const same = Array.from({ length: 5 }, () => counted(10_000, 200));
    expect(isUnusual(counted(10_000, 0), same, NOTHING)).toBe(false);
    expect(isUnusual(counted(9_999, 0), same, NOTHING)).toBe(false);
    expect(isUnusual(counted(10_001, 0), same, NOTHING)).toBe(true);
  });
});
