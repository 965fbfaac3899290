import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aReading, PUBLISHED_AT } from '../test/builders.js';
import { figuresOf, NO_FIGURES, nextReadingAt, readingsOfPost } from './reading.js';

const after = (hours: number): Date => new Date(PUBLISHED_AT.getTime() + hours * 3_600_000);

/** docs/domain/orders.md#results; I61. */
describe('the figures of a post', () => {
  it('are empty without a reading', () => {
    expect(figuresOf(PUBLISHED_AT, [])).toEqual(NO_FIGURES);
  });

  it('have no previous reading until there are two', () => {
    proves('results.previous');
    expect(figuresOf(PUBLISHED_AT, [aReading(1)])).toMatchObject({ snapshots: 1, previous: null });
    expect(figuresOf(PUBLISHED_AT, [aReading(6), aReading(1)])).toMatchObject({
      snapshots: 2,
      latest: { captured_at: after(6) },
      previous: { captured_at: after(1) },
    });
  });

  it.each([
    [[1, 6, 167.999], null],
    [[72, 168], 168],
    [[72, 170, 336], 170],
    [[720], 720],
  ])('with readings after %j hours prove that the post is still up after %j', (hours, proof) => {
    proves('evidence.still-up');
    const { still_up } = figuresOf(
      PUBLISHED_AT,
      hours.map((at) => aReading(at)),
    );
    expect(still_up?.checked_at ?? null).toEqual(proof === null ? null : after(proof));
  });

  it('do not depend on the order in which readings arrive', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 12 }).chain((hours) => {
          const readings = hours.map((at) => aReading(at, { clicks: at % 3 === 0 ? at : null }));
          return fc.tuple(
            fc.constant(readings),
            fc.shuffledSubarray(readings, { minLength: readings.length, maxLength: readings.length }),
          );
        }),
        ([readings, shuffled]) => {
          expect(figuresOf(PUBLISHED_AT, shuffled)).toEqual(figuresOf(PUBLISHED_AT, readings));
        },
      ),
    );
  });

  it('keep the newest known value of each figure that not every source gives, and what the last two readings said', () => {
    const readings = [
      aReading(1, { bookmarks: 1, clicks: 2, profile_visits: 3 }),
      aReading(6, { bookmarks: 4, clicks: null, profile_visits: 5 }),
      aReading(24, { bookmarks: null, clicks: null, profile_visits: 0, views: null }),
    ];
    const figures = figuresOf(PUBLISHED_AT, readings);
    expect(figures.newest).toEqual({
      bookmarks: { value: 4, as_of: after(6) },
      clicks: { value: 2, as_of: after(1) },
      profile_visits: { value: 0, as_of: after(24) },
    });
    const { captured_at, views, likes, comments, shares, bookmarks, clicks, profile_visits } = aReading(24, {
      bookmarks: null,
      clicks: null,
      profile_visits: 0,
      views: null,
    });
    expect(figures.latest).toEqual({
      captured_at,
      views,
      likes,
      comments,
      shares,
      bookmarks,
      clicks,
      profile_visits,
    });
  });

  it('prove a post without views all the same', () => {
    expect(figuresOf(PUBLISHED_AT, [aReading(168, { views: null })]).still_up).toEqual({
      checked_at: after(168),
      views: null,
    });
  });

  it.each([
    [null, 1],
    [0.5, 1],
    [1, 6],
    [5, 6],
    [30, 48],
    [72, 168],
    [335.9, 336],
    [400, 720],
  ])('after a reading at %j hours are next read at %d', (newest, next) => {
    expect(nextReadingAt(PUBLISHED_AT, newest === null ? null : after(newest))).toEqual(after(next));
  });

  it.each([
    ['that names the post', 1, 'mine', true],
    ['that names another post of the line', 1, 'another', false],
    ['of an older release, after the post was published', 1, undefined, true],
    ['of an older release, before the post was published', -1, undefined, false],
    ['of the very instant of publication', 0, 'mine', true],
    ['of a millisecond before it', -1 / 3_600_000, 'mine', false],
  ])('count a reading %s: %j hours, post %s, %s', (_which, hours, post_id, counts) => {
    const reading = aReading(hours, post_id === undefined ? {} : { post_id });
    const post = { post_id: 'mine', published_at: PUBLISHED_AT };
    expect(readingsOfPost(post, [reading])).toEqual(counts ? [reading] : []);
    expect(readingsOfPost({ post_id: null, published_at: null }, [reading])).toEqual([]);
    expect(readingsOfPost({ ...post, published_at: null }, [reading])).toEqual([]);
  });

  it('are not read again after the thirty-day reading', () => {
    expect(nextReadingAt(PUBLISHED_AT, after(720))).toBeNull();
  });
});
