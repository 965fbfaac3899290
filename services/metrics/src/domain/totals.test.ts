import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { withOffer, withSigned } from './line.js';
import { NO_FIGURES } from './reading.js';
import { totalsOf } from './totals.js';

const listed = (
  views: number | null,
  over: Parameters<typeof aSignedLine>[0] = {},
  booking: Parameters<typeof aBooking>[2] = {},
) => {
  const signedLine = aSignedLine(over);
  const order = anOrder({ lines: [signedLine] });
  const line = withOffer(withSigned(null, order, signedLine), aBooking(order, signedLine, booking));
  if (line?.signed == null) throw new Error('the line is signed');
  const unread = { likes: null, comments: null, shares: null, bookmarks: null, clicks: null, profile_visits: null };
  const latest = views === null ? null : { ...unread, views, captured_at: new Date(0) };
  return { post: { figures: { ...NO_FIGURES, latest } }, line, signed: line.signed };
};

describe('the totals of results (docs/domain/orders.md#results)', () => {
  it('adds posts, views, spend and expected views', () => {
    expect(
      totalsOf([listed(10_000), listed(30_000, { price_cents: 20_000, views_low: null, views_high: null })]),
    ).toEqual({
      posts: 2,
      views: 40_000,
      spend_cents: 80_000,
      cpm_cents: 2_000,
      expected_low: 9_000,
      expected_high: 27_000,
    });
  });

  it('divides the spend by views of the posts that were read alone', () => {
    expect(totalsOf([listed(10_000), listed(null)])).toMatchObject({
      posts: 2,
      views: 10_000,
      spend_cents: 120_000,
      cpm_cents: 6_000,
    });
  });

  it('counts a cheaper replacement at what it costs, as the order does', () => {
    const credits = [{ cause: 'cheaper' as const, amount_cents: 36_500, at: '2026-12-16T19:24:17.000Z' }];
    expect(totalsOf([listed(10_000, { price_cents: 61_000 }, { credits }), listed(null)])).toMatchObject({
      spend_cents: 24_500 + 60_000,
      cpm_cents: 2_450,
    });
  });

  it.each<[string, ReturnType<typeof listed>[], object]>([
    [
      'no post',
      [],
      { posts: 0, views: null, spend_cents: 0, cpm_cents: null, expected_low: null, expected_high: null },
    ],
    [
      'a post before its first reading',
      [listed(null)],
      { posts: 1, views: null, cpm_cents: null, expected_low: 9_000 },
    ],
    ['a post that nobody saw', [listed(0)], { views: 0, cpm_cents: null }],
  ])('has no cost per thousand for %s', (_name, posts, totals) => {
    expect(totalsOf(posts)).toMatchObject(totals);
  });
});
