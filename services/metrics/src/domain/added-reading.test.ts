import { describe, expect, it } from '@jest/globals';
import { aReading } from '../test/builders.js';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { type ReadingFacts, viewsFell, withAdded } from './added-reading.js';
import type { Post } from './post.js';
import type { Reading } from './reading.js';

/** docs/domain/orders.md#results. */
describe('views', () => {
  it.each<[string, number | null, [hours: number, views: number | null][], boolean]>([
    ['of a first reading', 10, [], false],
    ['that grow', 1_100, [[1, 1_000]], false],
    ['that are 5 % fewer', 950, [[1, 1_000]], false],
    ['that are over 5 % fewer', 949, [[1, 1_000]], true],
    [
      'that are fewer than in the newest reading that has any',
      500,
      [
        [2, 1_000],
        [1, 100],
        [3, null],
      ],
      true,
    ],
    ['that are fewer than in a later reading', 500, [[30, 1_000]], false],
    ['that nobody counted', null, [[1, 1_000]], false],
  ])('%s', (_what, views, earlier, fell) => {
    const before = earlier.map(([hours, count]) => aReading(hours, { views: count }));
    expect(viewsFell(aReading(24, { views }), before)).toBe(fell);
  });
});

describe('a reading that the team or a file adds', () => {
  const NOW = hoursAfter(48);
  const live = aLivePost();
  const reading = aReading(24, { post_id: '77', source: 'import', views: 900 });
  const added = (post: Post, one: Reading, over: Partial<ReadingFacts> = {}) =>
    withAdded(post, one, { now: NOW, earlier: [], history: [], ...over });
  const refusedFor = (...args: Parameters<typeof added>): string | null => {
    const result = added(...args);
    return 'about' in result ? result.about : null;
  };

  it.each<[about: string | null, what: string, post: Post, reading: Reading]>([
    [null, 'of a post that is up', live, reading],
    [null, 'of a proved post', { ...live, status: 'completed' }, reading],
    ['state', 'of a post that is to come', aBookedPost(), reading],
    ['state', 'of a post that is gone', { ...live, gone_at: NOW }, reading],
    ['state', 'of a line that has ended', { ...live, stopped: true }, reading],
    [null, 'of the instant of publication', live, { ...reading, captured_at: hoursAfter(0) }],
    ['captured_at', 'of before it', live, { ...reading, captured_at: new Date(hoursAfter(0).getTime() - 1) }],
    [null, 'of now', live, { ...reading, captured_at: NOW }],
    ['captured_at', 'of the future', live, { ...reading, captured_at: new Date(NOW.getTime() + 1) }],
  ])('is refused for %s, %s', (about, _what, post, one) => {
    expect(refusedFor(post, one)).toBe(about);
  });

  it('is refused where its source has one of the same moment', () => {
    expect(refusedFor(live, reading, { earlier: [aReading(24, { source: 'import' })] })).toBe('known');
    expect(refusedFor(live, reading, { earlier: [aReading(24, { source: 'operator' })] })).toBeNull();
    expect(refusedFor(live, reading, { earlier: [aReading(25, { source: 'import' })] })).toBeNull();
  });

  it('says why it is refused', () => {
    expect(added(aBookedPost(), reading)).toMatchObject({ message: 'Only a post that is up can be read.' });
    expect(added(live, { ...reading, captured_at: hoursAfter(49) })).toMatchObject({
      message: `must be between ${hoursAfter(0).toISOString()}, when the post was made, and now, ${NOW.toISOString()}`,
    });
    expect(added(live, reading, { earlier: [reading] })).toMatchObject({
      message: 'There is a reading of this moment already.',
    });
  });

  it('is among the readings of its post, which count alone for views that fell', () => {
    const earlier = [aReading(1, { post_id: '77', views: 1_000 }), aReading(2, { post_id: 'another', views: 10 })];
    const result = added(live, reading, { earlier });
    if ('about' in result) throw new Error(result.message);
    expect(result.fell).toBe(true);
    expect(result.move.post.figures).toMatchObject({
      snapshots: 2,
      latest: { views: 900 },
      previous: { views: 1_000 },
    });
    expect(added(live, reading)).toMatchObject({ fell: false });
  });

  it('of as many views at the same time as another is compared with one of them', () => {
    const before = [aReading(2, { views: 10 }), aReading(2, { views: 1_000 })];
    expect(viewsFell(aReading(24, { views: 500 }), before)).toBe(true);
    expect(viewsFell(aReading(24, { views: 500 }), [aReading(24, { views: 1_000 })])).toBe(false);
    expect(viewsFell(aReading(24, { views: 0 }), [aReading(2, { views: 1 })])).toBe(true);
  });
});
