import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aReading, aSignedLine } from '../test/builders.js';
import { type Line, withOffer, withSigned } from './line.js';
import {
  afterDue,
  awaitsPost,
  dueFactsOf,
  followLine,
  goLive,
  liveAtFor,
  missingAt,
  type Post,
  withReadings,
} from './post.js';

const at = (instant: string): Date => new Date(instant);
const order = anOrder({ lines: [aSignedLine()] });
const [signed] = order.lines;
if (signed === undefined) throw new Error('the order has a line');
const booking = aBooking(order, signed);

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('something is there');
  return value;
};
const bookedLine = (over: Parameters<typeof aBooking>[2] = {}): Line =>
  must(withOffer(must(withSigned(null, order, signed)), { ...booking, ...over }));
const bookedPost = (over: Parameters<typeof aBooking>[2] = {}): Post => must(followLine(null, bookedLine(over))).post;
const livePost = (plan: Partial<NonNullable<Post['plan']>> = {}): Post =>
  goLive(
    { ...bookedPost(), plan: { live_at: null, disclosing: 'now', gone_after_ms: null, ...plan } },
    at('2026-12-01T12:00:00Z'),
    {
      postId: '1',
      profileUrl: 'https://x.com/demo_ada',
    },
  ).post;

/** Domain 3-orders 10.1, 12, 13. */
describe('a line', () => {
  it('is the same whichever half is told first', () => {
    const offerFirst = must(withSigned(must(withOffer(null, booking)), order, signed));
    expect(offerFirst).toEqual(bookedLine());
  });

  it('forgets no newer fact for an older one', () => {
    expect(withOffer(bookedLine(), booking)).toBeNull();
    expect(withSigned(bookedLine(), { ...order, version: 1 }, signed)).toBeNull();
  });
});

describe('the post of a line', () => {
  it('waits for nothing before the booking', () => {
    expect(followLine(null, bookedLine({ booked: false }))).toBeNull();
    expect(followLine(null, must(withSigned(null, order, signed)))).toBeNull();
  });

  it('is missing at midnight after the third full day past its date', () => {
    expect(missingAt('2026-12-01')).toEqual(at('2026-12-05T00:00:00Z'));
    expect(bookedPost().missing_at).toEqual(at('2026-12-05T00:00:00Z'));
    const missing = afterDue(bookedPost(), 'post_missing', at('2026-12-05T00:00:00Z'));
    expect(missing).toMatchObject({ told: true, post: { status: 'blocked', blocked_reason: 'post_missing' } });
    expect(awaitsPost(missing.post)).toBe(true);
  });

  it('is planned anew for another day, and stays as it is when nothing about it changed', () => {
    const post = bookedPost();
    expect(followLine(post, bookedLine({ version: 3 }))).toBeNull();
    const moved = followLine(post, bookedLine({ version: 3, scheduled_date: '2026-12-09' }));
    expect(moved?.post).toMatchObject({ scheduled_date: '2026-12-09', missing_at: at('2026-12-13T00:00:00Z') });
  });

  it('waits for nothing once unbooked, and waits again once booked again', () => {
    const unbooked = must(followLine(bookedPost(), bookedLine({ version: 3, booked: false }))).post;
    expect(dueFactsOf(unbooked)).toEqual([]);
    expect(awaitsPost(unbooked)).toBe(false);
    expect(must(followLine(unbooked, bookedLine({ version: 4 }))).post.missing_at).toEqual(at('2026-12-05T00:00:00Z'));
  });

  it('is never made before its booking', () => {
    const late = bookedPost({
      proposal: { state: 'accepted', replaced_creator_id: null, updated_at: '2026-12-01T23:30:00.000Z' },
    });
    expect(late.plan?.live_at).toEqual(at('2026-12-01T23:30:00Z'));
  });

  it.each([
    ['now', '2026-11-22T00:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['on_time', '2026-12-01T22:00:00Z', '2026-12-01T22:00:00.000Z'],
    ['late', '2026-12-09T00:00:00Z', '2026-12-09T00:00:00.000Z'],
    ['never', '2026-12-09T00:00:00Z', undefined],
  ] as const)('told to come %s at %s is due at %s', (when, now, due) => {
    expect(liveAtFor(bookedPost(), when, at(now))?.toISOString()).toBe(due);
  });

  it('goes live with its link, its disclosure and its first reading due', () => {
    expect(livePost()).toMatchObject({
      status: 'live',
      proof_url: 'https://x.com/demo_ada/status/1',
      disclosure: 'Paid partnership label',
      reading_at: at('2026-12-01T13:00:00Z'),
      due_at: at('2026-12-01T13:00:00Z'),
    });
    expect(livePost({ disclosing: 'never' })).toMatchObject({ disclosure: null, disclosure_at: null });
    const late = livePost({ disclosing: 'late' });
    expect(late).toMatchObject({ disclosure: null, disclosure_at: at('2026-12-02T00:00:00Z') });
    expect(afterDue(late, 'disclosure', at('2026-12-02T00:00:00Z'))).toMatchObject({
      told: false,
      post: { disclosure: 'Paid partnership label', disclosure_at: null },
    });
  });

  it('is completed by the first reading at or after seven days, once', () => {
    const post = livePost();
    const published = at('2026-12-01T12:00:00Z');
    const [early, proof, later] = [aReading(167), aReading(168), aReading(336)];
    expect(withReadings(post, published, [early])).toMatchObject({ told: false, post: { status: 'live' } });
    const completed = withReadings(post, published, [early, proof]);
    expect(completed).toMatchObject({ told: true, post: { status: 'completed', version: post.version + 1 } });
    const after = withReadings(completed.post, published, [early, proof, later]);
    expect(after).toMatchObject({ told: false, post: { figures: { still_up: { checked_at: proof.captured_at } } } });
  });

  it('that is gone is blocked before its proof and left alone after it', () => {
    const gone = afterDue(livePost({ gone_after_ms: 1 }), 'post_gone', at('2026-12-03T12:00:00Z'));
    expect(gone).toMatchObject({ told: true, post: { status: 'blocked', blocked_reason: 'post_gone', due_at: null } });
    const completed = withReadings(livePost(), at('2026-12-01T12:00:00Z'), [aReading(168)]).post;
    expect(afterDue(completed, 'post_gone', at('2026-12-09T12:00:00Z'))).toMatchObject({
      told: false,
      post: { status: 'completed', due_at: null },
    });
  });

  it.each(['refunded', 'cancelled'] as const)('is read no more once its order is %s', (payment_state) => {
    const ended = must(withSigned(bookedLine(), { ...order, version: 3, payment_state }, signed));
    expect(followLine(livePost(), ended)).toMatchObject({ told: false, post: { stopped: true, due_at: null } });
    expect(followLine(null, ended)).toBeNull();
  });
});
