import { describe, expect, it } from '@jest/globals';
import { costPer1kCents, expectedViews } from './expected-views.js';

const CHECK = [3900, 4100, 4700, 5000, 5200, 6100, 8800, 30200];

describe('the views forecast', () => {
  it('matches the worked example', () => {
    expect(expectedViews(CHECK, 28_000, 'micro')).toEqual({
      post: { mid: 4100, low: 2100, high: 7900 },
      quote: { mid: 3300, low: 1700, high: 6300 },
      thread: { mid: 4500, low: 2300, high: 8700 },
    });
  });

  it.each([
    ['without posts', []],
    ['with two posts', [100, 200]],
  ])('is unknown %s', (_name, views) => {
    expect(expectedViews(views, 28_000, 'micro')).toBeNull();
  });

  it.each([
    ['unknown', null],
    ['none', 0],
  ])('rests on the posts alone when followers are %s', (_name, followers) => {
    expect(expectedViews([1000, 1000, 1000], followers, 'nano')?.post.mid).toBe(850);
  });

  it('counts a post without views as one view', () => {
    expect(expectedViews([0, 0, 0], null, 'nano')?.post).toMatchObject({ mid: 1 });
  });
});

describe('the cost of a thousand views', () => {
  it.each([
    [10_000, 4100, 2439],
    [10_000, null, null],
    [10_000, 0, null],
  ])('of %p cents for %p views is %p', (price, views, cost) => {
    expect(costPer1kCents(price, views)).toBe(cost);
  });
});
