import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { aReading, PUBLISHED_AT } from '../test/builders.js';
import { figuresOf } from './reading.js';
import {
  dateText,
  grouped,
  instantText,
  moreLines,
  readingLine,
  scheduleText,
  stillUpLine,
  versusText,
} from './texts.js';

const after = (hours: number): Date => new Date(PUBLISHED_AT.getTime() + hours * 3_600_000);
const EXPECTED = { views_low: 9_000, views_high: 27_000 };

/** docs/domain/orders.md#results, word for word. */
describe('the texts of results', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [18_402, '18,402'],
    [1_234_567, '1,234,567'],
  ])('write %d as %s', (value, text) => {
    expect(grouped(value)).toBe(text);
  });

  it('write days and instants in words', () => {
    expect(dateText(new Date('2026-11-21T23:59:59.999Z'))).toBe('21 November 2026');
    expect(dateText(new Date('2027-01-01T00:00:00.000Z'))).toBe('1 January 2027');
    expect(instantText(new Date('2026-11-28T14:00:59.000Z'))).toBe('28 November 2026, 14:00 UTC');
  });

  it.each([
    [{}, '18,402 views, 212 likes, 31 comments, 12 shares'],
    [{ likes: null }, '18,402 views, 31 comments, 12 shares'],
    [{ views: null, comments: null, shares: null }, '212 likes'],
    [{ views: 1, likes: 1, comments: 1, shares: 0 }, '1 view, 1 like, 1 comment, 0 shares'],
    [{ views: null, likes: null, comments: null, shares: null }, 'No figures in this reading'],
  ])('describe a reading of %j', (over, text) => {
    expect(readingLine(aReading(24, over))).toBe(text);
  });

  it('give the newest known value of what not every source gives', () => {
    const readings = [aReading(1, { clicks: 40, bookmarks: 3 }), aReading(6, { clicks: 77 }), aReading(24)];
    expect(moreLines(figuresOf(PUBLISHED_AT, readings).newest)).toEqual([
      { line: '3 bookmarks', as_of: after(1) },
      { line: '77 link clicks', as_of: after(6) },
    ]);
    const visits = [aReading(1, { profile_visits: 1 })];
    expect(moreLines(figuresOf(PUBLISHED_AT, visits).newest)).toEqual([{ line: '1 profile visit', as_of: after(1) }]);
  });

  it.each([
    [168, 18_402, 'Still up after 7 days, 18,402 views'],
    [191.9, 18_402, 'Still up after 7 days, 18,402 views'],
    [192, null, 'Still up after 8 days'],
  ])('describe a proof after %d hours', (hours, views, text) => {
    expect(stillUpLine(PUBLISHED_AT, { checked_at: after(hours), views })).toBe(text);
  });

  it.each([
    [24, null, EXPECTED, 'The latest reading carries no views.'],
    [24, 7_100, { views_low: null, views_high: null }, 'No expected views were set for this post.'],
    [6, 7_100, EXPECTED, 'Too early to compare: read after 6 hours; expected 9,000 to 27,000 views.'],
    [1, 7_100, EXPECTED, 'Too early to compare: read after 1 hour; expected 9,000 to 27,000 views.'],
    [23.99, 99_000, EXPECTED, 'Too early to compare: read after 23 hours; expected 9,000 to 27,000 views.'],
    [24, 7_100, EXPECTED, 'Below the expected 9,000 to 27,000 views (7,100 so far).'],
    [167.9, 7_100, EXPECTED, 'Below the expected 9,000 to 27,000 views (7,100 so far).'],
    [168, 7_100, EXPECTED, 'Below the expected 9,000 to 27,000 views (7,100 in the end).'],
    [48, 8_999, EXPECTED, 'Below the expected 9,000 to 27,000 views (8,999 so far).'],
    [48, 9_000, EXPECTED, 'Within the expected 9,000 to 27,000 views.'],
    [48, 27_000, EXPECTED, 'Within the expected 9,000 to 27,000 views.'],
    [48, 27_001, EXPECTED, 'Above the expected 9,000 to 27,000 views, by 1%.'],
    [48, 36_180, EXPECTED, 'Above the expected 9,000 to 27,000 views, by 34%.'],
  ])('compare a reading after %d hours with %d views', (hours, views, expected, text) => {
    proves('results.versus');
    expect(versusText(PUBLISHED_AT, aReading(hours, { views }), expected)).toBe(text);
  });

  it('compare nothing before the first reading', () => {
    expect(versusText(PUBLISHED_AT, null, EXPECTED)).toBe('No reading yet.');
  });

  it.each([
    [new Date('2026-11-28T13:59:59Z'), 'Next reading 28 November 2026, 14:00 UTC'],
    [new Date('2026-11-28T14:00:00Z'), 'Reading due since 28 November 2026, 14:00 UTC'],
  ])('give the schedule at %s', (now, text) => {
    proves('results.schedule');
    expect(scheduleText(new Date('2026-11-28T14:00:00Z'), now)).toBe(text);
    expect(scheduleText(null, now)).toBeNull();
  });
});

describe('one of a thing', () => {
  it('is named in the singular, and none or several in the plural', () => {
    const at = new Date('2026-12-08T12:00:00.000Z');
    const one = { value: 1, as_of: at };
    expect(readingLine({ views: 1, likes: 1, comments: 1, shares: 1 })).toBe('1 view, 1 like, 1 comment, 1 share');
    expect(readingLine({ views: 0, likes: 0, comments: 0, shares: 0 })).toBe('0 views, 0 likes, 0 comments, 0 shares');
    const linesOf = (known: typeof one) =>
      moreLines({ bookmarks: known, clicks: known, profile_visits: known }).map(({ line }) => line);
    expect(linesOf(one)).toEqual(['1 bookmark', '1 link click', '1 profile visit']);
    expect(linesOf({ ...one, value: 2 })).toEqual(['2 bookmarks', '2 link clicks', '2 profile visits']);
    const dayBefore = new Date('2026-12-07T12:00:00.000Z');
    expect(stillUpLine(dayBefore, { checked_at: at, views: 1 })).toBe('Still up after 1 day, 1 view');
  });

  it.each([
    [null, 5],
    [5, null],
  ])('without expected views from %p to %p says so', (views_low, views_high) => {
    const latest = {
      views: 1,
      likes: null,
      comments: null,
      shares: null,
      bookmarks: null,
      clicks: null,
      profile_visits: null,
    };
    const captured_at = new Date('2026-12-09T12:00:00.000Z');
    expect(
      versusText(new Date('2026-12-01T12:00:00.000Z'), { ...latest, captured_at }, { views_low, views_high }),
    ).toBe('No expected views were set for this post.');
  });
});
