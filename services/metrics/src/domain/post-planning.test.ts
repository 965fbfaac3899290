import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { type Line, withOffer, withSigned } from './line.js';
import { disclosing, posting, postingAt } from './persona.js';
import { type Post, randomKeyOf } from './post.js';
import { followLine, liveAtFor, replan } from './post-planning.js';
import { NO_FIGURES } from './reading.js';

const SIGNED = aSignedLine();
const order = anOrder({ lines: [SIGNED] });
const lineOf = (over: Parameters<typeof aBooking>[2] = {}, of: Parameters<typeof anOrder>[0] = {}): Line => {
  const event = { ...order, ...of };
  const line = withOffer(withSigned(null, event, SIGNED), { ...aBooking(event, SIGNED), ...over });
  if (line === null) throw new Error('the events are new');
  return line;
};
const planned = (line: Line, before: Post | null = null): Post => {
  const move = followLine(before, line);
  if (move === null) throw new Error('the post changes');
  return move.post;
};

/** docs/domain/orders.md#line-status. */
describe('the post of a booking', () => {
  it('is blank, with its day and what is expected of it', () => {
    const line = lineOf({}, { sandbox: false });
    expect(planned(line)).toMatchObject({
      _id: SIGNED.line_id,
      sandbox: false,
      booked: true,
      stopped: false,
      status: 'booked',
      attempt: 1,
      scheduled_date: '2026-12-01',
      expected_views: 18_000,
      engagement_rate: 2,
      views_high: 27_000,
      missing_at: new Date('2026-12-05T00:00:00Z'),
      window_end: '2026-12-20',
      plan: null,
      figures: NO_FIGURES,
      version: 0,
      rev: 1,
    });
    expect(followLine(null, line)?.emits).toBe(false);
    expect(planned(line)).not.toHaveProperty('seed');
    expect(planned({ ...line, seed: 7 }).seed).toBe(7);
    expect(planned({ ...line, signed: null }).window_end).toBeNull();
    expect(followLine(null, lineOf({ cancelled: true }))).toBeNull();
  });

  it('is planned by its persona, no earlier than it was booked', () => {
    const numbers = Array.from({ length: 80 }, (_none, n) => n + 1);
    for (const campaign_number of numbers) {
      const line = { ...lineOf(), campaign_number };
      const post = planned(line);
      const key = randomKeyOf(post);
      const when = posting(key);
      const wanted = when === 'never' ? null : postingAt(key, '2026-12-01', when);
      expect(post.plan).toMatchObject({ live_at: wanted, disclosing: disclosing(key) });
      const late = { ...line, offer: line.offer && { ...line.offer, booked_at: hoursAfter(240) } };
      expect(planned(late).plan?.live_at).toEqual(wanted === null ? null : hoursAfter(240));
      const unsaid = { ...line, offer: line.offer && { ...line.offer, booked_at: null } };
      expect(planned(unsaid).plan?.live_at).toEqual(wanted);
    }
  });

  it('of another attempt begins again, and keeps the line’s chain, claims and versions', () => {
    const before = aLivePost({ version: 4, rev: 9, readings_version: 3, integrity: { seq: 2, hash: 'h' }, claims: [] });
    const move = followLine(before, { ...lineOf({ attempt: 2, version: 3 }), campaign_number: before.campaign_number });
    expect(move).toMatchObject({
      emits: true,
      post: {
        attempt: 2,
        status: 'booked',
        published_at: null,
        post_id: null,
        integrity: { seq: 2 },
        claims: [],
        readings_version: 3,
        version: 5,
        rev: 10,
      },
    });
    const unread = followLine(aBookedPost({ version: 0 }), lineOf({ attempt: 2, version: 3 }));
    expect(unread).toMatchObject({ emits: false, post: { integrity: null, claims: [] } });
    expect(unread?.post).not.toHaveProperty('readings_version');
    expect(followLine(aBookedPost({ version: 1 }), lineOf({ attempt: 2, version: 3 }))?.emits).toBe(true);
  });

  it.each<[changes: boolean, what: string, before: Partial<Post>, over: Parameters<typeof aBooking>[2]]>([
    [false, 'for nothing new', {}, {}],
    [true, 'for another day', {}, { scheduled_date: '2026-12-09' }],
    [true, 'for another creator', {}, { creator_id: 'another' }],
    [true, 'for a booking again', { booked: false }, {}],
    [false, 'for another day of a post that is up', { published_at: hoursAfter(0) }, { scheduled_date: '2026-12-09' }],
    [
      false,
      'for another day of a post with its remedy',
      { remedy: { id: 'r', kind: 'credit', cause: 'dispute', amount_cents: null, at: hoursAfter(0) } },
      { scheduled_date: '2026-12-09' },
    ],
    [true, 'for the end of the line', {}, { cancelled: true }],
    [false, 'for the end of a line that has ended', { stopped: true }, { cancelled: true }],
    [true, 'for the end of the booking', {}, { booked: false }],
    [false, 'for the end of a booking that has ended', { booked: false }, { booked: false }],
  ])('changes: %s, %s', (changes, _what, before, over) => {
    const post = { ...planned(lineOf()), ...before };
    expect(followLine(post, lineOf({ version: 3, ...over })) !== null).toBe(changes);
  });

  it('is followed from its offer alone', () => {
    const line = lineOf();
    expect(followLine(planned(line), { ...line, offer: null })).toBeNull();
    expect(planned({ ...lineOf({ scheduled_date: '2026-12-09' }), signed: null }, planned(line)).window_end).toBe(
      '2026-12-20',
    );
  });

  it('has nothing due once nobody is booked, and that is seen of one that was listed', () => {
    const times = {
      missing_at: hoursAfter(1),
      remedy_at: hoursAfter(1),
      back_at: hoursAfter(1),
      look_at: hoursAfter(1),
      undisclosed_at: hoursAfter(1),
      disclosure_at: hoursAfter(1),
      gone_due_at: hoursAfter(1),
      reading_at: hoursAfter(1),
    };
    const none = Object.fromEntries(Object.keys(times).map((name) => [name, null]));
    const unbooked = lineOf({ booked: false, version: 3 });
    expect(followLine(aLivePost(times), unbooked)).toMatchObject({
      emits: true,
      post: { ...none, booked: false, plan: null, due_at: null },
    });
    expect(followLine(aBookedPost(times), unbooked)?.emits).toBe(false);
    expect(followLine(aLivePost(), lineOf({ cancelled: true }))).toMatchObject({
      emits: false,
      post: { stopped: true, due_at: null },
    });
  });
});

/** docs/domain/orders.md#sandbox-creators. */
describe('a post that a developer plans', () => {
  const post = aBookedPost();
  it('goes live when it is asked to, now at the earliest', () => {
    const onTime = postingAt(randomKeyOf(post), '2026-12-01', 'on_time');
    const early = new Date('2026-11-25T00:00:00Z');
    expect(liveAtFor(post, 'never', early)).toBeNull();
    expect(liveAtFor(post, 'now', early)).toEqual(early);
    expect(liveAtFor(post, 'on_time', early)).toEqual(onTime);
    expect(liveAtFor(post, 'late', early)).toEqual(postingAt(randomKeyOf(post), '2026-12-01', 'late'));
    expect(liveAtFor(post, 'on_time', hoursAfter(240))).toEqual(hoursAfter(240));
  });

  it('keeps its plan unseen', () => {
    const plan = { live_at: hoursAfter(1), disclosing: 'never', gone_after_ms: null } as const;
    expect(replan(post, plan)).toMatchObject({ emits: false, post: { plan, due_at: hoursAfter(1) } });
  });
});
