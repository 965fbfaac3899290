import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { type Line, withOffer, withSigned } from './line.js';
import { NO_FIGURES } from './reading.js';
import { emptyNote, totalsOf } from './totals.js';

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

const aLine = (state: ReturnType<typeof anOrder>['payment_state'], booked: string | null = null): Line => {
  const signed = aSignedLine();
  const order = anOrder({ lines: [signed], payment_state: state });
  const line = withSigned(null, order, signed);
  const offered = booked === null ? line : withOffer(line, aBooking(order, signed, { scheduled_date: booked }));
  if (offered === null) throw new Error('the events are new');
  return offered;
};

describe('why no post is live (docs/domain/orders.md#results)', () => {
  it.each<[string, Line[], string]>([
    ['nothing is signed', [], 'no plan is signed'],
    ['the order is unpaid', [aLine('unpaid')], 'the order is unpaid'],
    ['the payment is on its way', [aLine('processing'), aLine('unpaid')], 'the payment is on its way'],
    ['the order has ended', [aLine('cancelled'), aLine('refunded')], 'its order was cancelled or refunded'],
    ['nobody has booked', [aLine('paid'), aLine('unpaid')], 'no creator has confirmed a day yet'],
    [
      'posts are booked, by the first day ahead',
      [aLine('paid', '2026-12-04'), aLine('paid', '2026-12-02'), aLine('paid', '2026-11-20')],
      'the first is booked for 2 December 2026',
    ],
    ['booked days have passed', [aLine('paid', '2026-11-20')], 'the posts that were booked are late or gone'],
  ])('says that %s', (_name, lines, why) => {
    expect(emptyNote(lines, '2026-12-01')).toBe(`No post is live: ${why}.`);
  });
});
