import { describe, expect, it } from '@jest/globals';
import { csvRows, type RawRow, readRow } from './reading-rows.js';

const LINE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const AT = '2026-12-03T06:00:00Z';

/** docs/domain/operators.md#operators. */
describe('a row of an import of readings', () => {
  it('names its line or its post, and the figures that were read', () => {
    expect(readRow({ line_id: LINE.toUpperCase(), captured_at: AT, views: 9_000, likes: '12', clicks: '' })).toEqual({
      of: { lineId: LINE },
      capturedAt: new Date(AT),
      metrics: {
        views: 9_000,
        likes: 12,
        comments: null,
        shares: null,
        bookmarks: null,
        clicks: null,
        profile_visits: null,
      },
    });
    expect(readRow({ url: 'https://twitter.com/demo_ada/status/123', captured_at: AT })).toMatchObject({
      of: { postId: '123' },
    });
  });

  it.each<[string, RawRow, RegExp]>([
    ['without a post', { captured_at: AT }, /either line_id or url/],
    ['with two posts', { line_id: LINE, url: 'https://x.com/a/status/1', captured_at: AT }, /either line_id or url/],
    ['of no id', { line_id: '7', captured_at: AT }, /line_id must be a UUID/],
    ['of no address', { url: 'https://example.com/a/status/1', captured_at: AT }, /url must be the address/],
    ['without a time', { line_id: LINE }, /captured_at/],
    ['with a day as time', { line_id: LINE, captured_at: '2026-12-03' }, /captured_at/],
    ['with a day that does not exist', { line_id: LINE, captured_at: '2027-02-30T06:00:00Z' }, /captured_at/],
    ['with a fraction', { line_id: LINE, captured_at: AT, views: 1.5 }, /views must be a whole number/],
    ['with a negative figure', { line_id: LINE, captured_at: AT, likes: '-1' }, /likes must be/],
    ['with a word as figure', { line_id: LINE, captured_at: AT, shares: 'many' }, /shares must be/],
    ['with true as figure', { line_id: LINE, captured_at: AT, shares: true }, /shares must be/],
    ['with another field', { line_id: LINE, captured_at: AT, impressions: 5 }, /impressions is not accepted/],
  ])('%s is refused', (_what, row, message) => {
    expect(readRow(row)).toMatch(message);
  });
});

describe('a CSV text', () => {
  it('is read with quotes, CRLF, blank lines and a byte order mark', () => {
    const text = `\uFEFFurl,Captured_at,views\r\n"https://x.com/a/status/1","2026-12-03T06:00:00Z", 9000 \r\n\r\nx,"a ""b"", c",\n`;
    expect(csvRows(text)).toEqual([
      { url: 'https://x.com/a/status/1', captured_at: '2026-12-03T06:00:00Z', views: '9000' },
      { url: 'x', captured_at: 'a "b", c', views: '' },
    ]);
  });

  it('puts what is beyond its head into fields that no row has', () => {
    expect(csvRows('url,views\nx,1,2')).toEqual([{ url: 'x', views: '1', 'column 3': '2' }]);
  });

  it.each([
    ['an open quote', 'url\n"x', 'has a quote that is never closed'],
    ['semicolons', 'url;captured_at;views\nx;y;1', expect.stringContaining('semicolons')],
  ])('with %s is not one', (_what, text, why) => {
    expect(csvRows(text)).toEqual(why);
  });

  it('may be empty', () => {
    expect(csvRows('')).toEqual([]);
    expect(csvRows('url,views')).toEqual([]);
  });
});

describe('a field of a row at its bounds', () => {
  const views = (value: unknown): unknown => {
    const read = readRow({ line_id: LINE, captured_at: AT, views: value });
    return typeof read === 'string' ? read : read.metrics.views;
  };
  const WRONG = 'views must be a whole number from 0 to 1,000,000,000,000';

  it.each<[value: unknown, is: unknown]>([
    [0, 0],
    ['0', 0],
    [1_000_000_000_000, 1_000_000_000_000],
    ['1000000000000', 1_000_000_000_000],
    [1_000_000_000_001, WRONG],
    ['1000000000001', WRONG],
    [-1, WRONG],
    ['x1', WRONG],
    ['1x', WRONG],
    [1.5, WRONG],
    [[7], WRONG],
    [null, null],
    ['', null],
  ])('has the figure %p as %p', (value, is) => {
    expect(views(value)).toBe(is);
  });

  it.each([`x${LINE}`, `${LINE}x`, LINE.slice(1)])('is of no line %s', (line_id) => {
    expect(readRow({ line_id, captured_at: AT })).toBe('line_id must be a UUID');
  });

  it('names the fields that are accepted', () => {
    expect(readRow({ line_id: LINE, captured_at: AT, x: 1 })).toBe(
      'x is not accepted here; accepted: line_id, url, captured_at, views, likes, comments, shares, bookmarks, clicks, profile_visits',
    );
    expect(csvRows(' Views , LIKES\n1,2')).toEqual([{ views: '1', likes: '2' }]);
  });
});
