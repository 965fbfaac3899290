import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../constants.js';
import type { PastSync } from '../creator/creator.js';
import { followerJump, syncsAfter } from './follower-jump.js';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const sync = (daysAgo: number, followers: number | null, median_views: number | null = 1_000): PastSync => ({
  at: new Date(NOW - daysAgo * DAY_MS),
  followers,
  median_views,
});

describe('the jump of followers', () => {
  it.each<[string, PastSync[], PastSync, number | null]>([
    ['is unknown without an earlier sync', [], sync(0, 1_000), null],
    ['is unknown when the last sync is older than a week', [sync(7.1, 1_000)], sync(0, 5_000), null],
    ['counts from exactly a week ago', [sync(7, 1_000)], sync(0, 1_260), 26],
    ['is that of the week, however often it was synced', [sync(6, 1_000), sync(1, 1_240)], sync(0, 1_300), 30],
    ['ignores syncs without a follower count', [sync(6, null), sync(5, 0), sync(1, 1_000)], sync(0, 1_100), 10],
    ['is unknown if the followers are unknown', [sync(1, 1_000)], sync(0, null), null],
    ['is no loss', [sync(1, 1_000)], sync(0, 900), 0],
    ['is 0 if views grew as much', [sync(1, 1_000, 1_000)], sync(0, 1_500, 1_500), 0],
    ['counts if views grew less', [sync(1, 1_000, 1_000)], sync(0, 1_500, 1_400), 50],
    ['counts if views are unknown', [sync(1, 1_000, null)], sync(0, 1_500, 1_500), 50],
    ['is the same for the same facts', [sync(1, 1_000), sync(0, 1_500)], sync(0, 1_500), 50],
  ])('%s', (_name, held, newest, percent) => {
    expect(followerJump(held, newest)).toBe(percent);
  });
});

describe('the stored syncs', () => {
  it('are the first of each day for a week', () => {
    let held: PastSync[] = [];
    for (let hours = 10 * 24; hours >= 0; hours -= 8) held = syncsAfter(held, sync(hours / 24, hours));
    expect(held.map(({ at }) => at.toISOString().slice(5, 13))).toEqual([
      '11-14T03',
      '11-15T03',
      '11-16T03',
      '11-17T03',
      '11-18T03',
      '11-19T03',
      '11-20T03',
      '11-21T03',
    ]);
  });

  it('are unchanged when the same facts come again', () => {
    const held = syncsAfter([sync(1, 1_000)], sync(0, 1_500));
    expect(syncsAfter(held, sync(0, 1_500))).toEqual(held);
  });
});
