import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aReading, aSignedLine } from '../test/builders.js';
import { type Line, withOffer, withSigned } from './line.js';
import { awaitsPost, dueFactsOf, isListed, missingAt, type Post } from './post.js';
import { afterDue, goLive, withReadings } from './post-moves.js';
import { followLine, liveAtFor } from './post-planning.js';

const at = (instant: string): Date => new Date(instant);
const order = anOrder({ lines: [aSignedLine()] });
const [signed] = order.lines;
if (signed === undefined) throw new Error('the order has no line');
const booking = aBooking(order, signed);

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('expected a value');
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

/** docs/domain/orders.md#line-status, docs/domain/orders.md#proof, docs/domain/orders.md#results. */
describe('a line', () => {
  it('is the same whichever event arrives first', () => {
    const offerFirst = must(withSigned(must(withOffer(null, booking)), order, signed));
    expect(offerFirst).toEqual(bookedLine());
  });

  it('ignores an event older than the one it has', () => {
    expect(withOffer(bookedLine(), booking)).toBeNull();
    expect(withSigned(bookedLine(), { ...order, version: 1 }, signed)).toBeNull();
  });
});

describe('the post of a line', () => {
  it('does not exist before the booking', () => {
    expect(followLine(null, bookedLine({ booked: false }))).toBeNull();
    expect(followLine(null, must(withSigned(null, order, signed)))).toBeNull();
  });

  it('is missing at midnight after the third full day past its date', () => {
    expect(missingAt('2026-12-01')).toEqual(at('2026-12-05T00:00:00Z'));
    expect(bookedPost().missing_at).toEqual(at('2026-12-05T00:00:00Z'));
    const missing = afterDue(bookedPost(), 'post_missing', at('2026-12-05T00:00:00Z'));
    expect(missing).toMatchObject({ emits: true, post: { status: 'blocked', blocked_reason: 'post_missing' } });
    expect(awaitsPost(missing.post)).toBe(true);
  });

  it('is planned again for another day, and unchanged when nothing about it changes', () => {
    const post = bookedPost();
    expect(followLine(post, bookedLine({ version: 3 }))).toBeNull();
    const moved = followLine(post, bookedLine({ version: 3, scheduled_date: '2026-12-09' }));
    expect(moved?.post).toMatchObject({ scheduled_date: '2026-12-09', missing_at: at('2026-12-13T00:00:00Z') });
  });

  it('that is missing is awaited again on another day, unless its remedy was decided before', () => {
    const { post } = afterDue(bookedPost(), 'post_missing', at('2026-12-05T00:00:00Z'));
    const line = bookedLine({ version: 3, scheduled_date: '2026-12-28' });
    expect(followLine(post, line)).toMatchObject({
      emits: true,
      post: {
        status: 'booked',
        blocked_reason: null,
        remedy_at: null,
        scheduled_date: '2026-12-28',
        missing_at: at('2027-01-01T00:00:00Z'),
      },
    });
    const remedied = afterDue(post, 'remedy', at('2026-12-07T00:00:00Z')).post;
    expect(remedied.remedy).not.toBeNull();
    expect(followLine(remedied, line)).toBeNull();
  });

  it('has nothing due while unbooked, and is due again once booked again', () => {
    const unbooked = must(followLine(bookedPost(), bookedLine({ version: 3, booked: false }))).post;
    expect(dueFactsOf(unbooked)).toEqual([]);
    expect(awaitsPost(unbooked)).toBe(false);
    expect(must(followLine(unbooked, bookedLine({ version: 4 }))).post.missing_at).toEqual(at('2026-12-05T00:00:00Z'));
  });

  it('never goes live before its booking', () => {
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
  ] as const)('planned %s at %s is due at %s', (when, now, due) => {
    expect(liveAtFor(bookedPost(), when, at(now))?.toISOString()).toBe(due);
  });

  it('goes live with its link and disclosure, and its first reading due', () => {
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
      emits: true,
      post: { disclosure: 'Paid partnership label', disclosure_at: null },
    });
  });

  it('is completed once, by the first reading at or after seven days', () => {
    const post = livePost();
    const published = at('2026-12-01T12:00:00Z');
    const [early, proof, later] = [aReading(167), aReading(168), aReading(336)];
    expect(withReadings(post, published, [early])).toMatchObject({ emits: false, post: { status: 'live' } });
    const completed = withReadings(post, published, [early, proof]);
    expect(completed).toMatchObject({ emits: true, post: { status: 'completed', version: post.version + 1 } });
    const blocked = { ...post, status: 'blocked' as const, blocked_reason: 'no_disclosure' as const };
    expect(withReadings(blocked, published, [proof])).toMatchObject({ emits: true, post: { status: 'blocked' } });
    const after = withReadings(completed.post, published, [early, proof, later]);
    expect(after).toMatchObject({ emits: false, post: { figures: { still_up: { checked_at: proof.captured_at } } } });
  });

  it('is blocked when it goes before its proof, and stays completed after it', () => {
    const gone = afterDue(livePost({ gone_after_ms: 1 }), 'post_gone', at('2026-12-03T12:00:00Z'));
    expect(gone).toMatchObject({
      emits: true,
      post: { status: 'blocked', blocked_reason: 'post_gone', due_at: at('2026-12-05T12:00:00Z') },
    });
    const completed = withReadings(livePost(), at('2026-12-01T12:00:00Z'), [aReading(168)]).post;
    expect(afterDue(completed, 'post_gone', at('2026-12-09T12:00:00Z'))).toMatchObject({
      emits: true,
      post: { status: 'completed', due_at: null },
    });
  });

  it('that is gone is back before its remedy, or gets one after 48 hours', () => {
    const deleted = afterDue(
      livePost({ gone_after_ms: 1, back_after_ms: 3_600_000 }),
      'post_gone',
      at('2026-12-03T12:00:00Z'),
    );
    expect(dueFactsOf(deleted.post)).toEqual([
      { kind: 'post_back', at: at('2026-12-03T13:00:00Z') },
      { kind: 'remedy', at: at('2026-12-05T12:00:00Z') },
    ]);
    const back = afterDue(deleted.post, 'post_back', at('2026-12-03T13:00:00Z'));
    expect(back).toMatchObject({
      emits: true,
      post: { status: 'live', gone_at: null, remedy_at: null, reading_at: at('2026-12-03T13:00:00Z') },
    });
  });

  it.each([
    ['2026-12-19T00:00:00Z', 'replace'],
    ['2026-12-19T00:00:00.001Z', 'credit'],
  ])('in a sandbox is made up for at %s by %s', (when, kind) => {
    const { post } = afterDue(livePost(), 'post_gone', at('2026-12-03T12:00:00Z'));
    const decided = afterDue(post, 'remedy', at(when));
    expect(decided).toMatchObject({
      emits: true,
      post: { remedy: { kind, cause: 'post_gone', amount_cents: null, at: at(when) }, due_at: null },
    });
  });

  it('of a live workspace waits for the team, whose time is over', () => {
    const { post } = afterDue({ ...livePost(), sandbox: false }, 'post_gone', at('2026-12-03T12:00:00Z'));
    expect(afterDue(post, 'remedy', at('2026-12-05T12:00:00Z')).post).toMatchObject({ remedy: null, due_at: null });
  });

  it('is looked at after an hour; without a disclosure its line is blocked a day later, until one is seen', () => {
    const post = livePost({ disclosing: 'never' });
    expect(post.look_at).toEqual(at('2026-12-01T13:00:00Z'));
    const looked = afterDue(post, 'post_look', at('2026-12-01T13:00:00Z')).post;
    expect(looked.undisclosed_at).toEqual(at('2026-12-02T13:00:00Z'));
    const blocked = afterDue(looked, 'no_disclosure', at('2026-12-02T13:00:00Z'));
    expect(blocked).toMatchObject({
      emits: true,
      post: { status: 'blocked', blocked_reason: 'no_disclosure', remedy_at: at('2026-12-04T13:00:00Z') },
    });
    expect(afterDue(blocked.post, 'disclosure', at('2026-12-03T00:00:00Z'))).toMatchObject({
      emits: true,
      post: { status: 'live', disclosure: 'Paid partnership label', remedy_at: null },
    });
  });

  it('that the team rejects is booked again with its id free, and comes half a day later', () => {
    const post = livePost({ verdict: 'rejected' });
    expect(afterDue(post, 'post_look', at('2026-12-01T13:00:00Z'))).toMatchObject({
      emits: true,
      post: {
        status: 'booked',
        post_id: null,
        published_at: null,
        plan: { live_at: at('2026-12-02T01:00:00Z') },
        missing_at: at('2026-12-05T00:00:00Z'),
      },
    });
  });

  it('is listed no more once another creator is sought, which its event says', () => {
    const live = livePost();
    const unbooked = must(followLine(live, bookedLine({ version: 3, booked: false })));
    expect([isListed(live), isListed(unbooked.post), unbooked.emits]).toEqual([true, false, true]);
    expect(unbooked.post.version).toBe(live.version + 1);
  });

  it('of another creator starts afresh under the same line', () => {
    const { post } = afterDue(livePost(), 'post_gone', at('2026-12-03T12:00:00Z'));
    const remedied = afterDue(post, 'remedy', at('2026-12-05T12:00:00Z')).post;
    const unbooked = must(followLine(remedied, bookedLine({ version: 3, booked: false }))).post;
    expect(unbooked).toMatchObject({ booked: false, due_at: null });
    const next = followLine(
      unbooked,
      bookedLine({ version: 5, attempt: 2, creator_id: 'other', scheduled_date: '2026-12-10' }),
    );
    expect(next).toMatchObject({
      emits: true,
      post: {
        attempt: 2,
        creator_id: 'other',
        status: 'booked',
        post_id: null,
        published_at: null,
        gone_at: null,
        remedy: null,
        missing_at: at('2026-12-14T00:00:00Z'),
      },
    });
    expect(next?.post.version).toBeGreaterThan(unbooked.version);
  });

  it.each(['refunded', 'cancelled'] as const)('gets no more readings once its order is %s', (payment_state) => {
    const ended = must(withSigned(bookedLine(), { ...order, version: 3, payment_state }, signed));
    expect(followLine(livePost(), ended)).toMatchObject({ emits: false, post: { stopped: true, due_at: null } });
    expect(followLine(null, ended)).toBeNull();
  });
});
