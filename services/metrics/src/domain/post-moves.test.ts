import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aReading, aSignedLine, PUBLISHED_AT } from '../test/builders.js';
import { aBookedPost, aLivePost } from '../test/posts.js';
import { newClaim } from './claim.js';
import { withOffer, withSigned } from './line.js';
import { dueFactsOf, type Post } from './post.js';
import {
  afterDue,
  back,
  claimDecided,
  claimed,
  disclosed,
  goLive,
  gone,
  lookedAt,
  mayRemedy,
  remedied,
  submitted,
  withReadings,
} from './post-moves.js';
import { followLine } from './post-planning.js';
import { figuresOf, NO_FIGURES } from './reading.js';
import { sandboxContent } from './sandbox-content.js';
import { afterLook } from './team-moves.js';

const HOUR_MS = 3_600_000;
const after = (hours: number): Date => new Date(PUBLISHED_AT.getTime() + hours * HOUR_MS);

const livePost = (): Post => {
  const order = anOrder({ lines: [aSignedLine()] });
  const [signed] = order.lines;
  const line = signed && withSigned(null, order, signed);
  const booked = signed && line && withOffer(line, aBooking(order, signed));
  const move = booked && followLine(null, booked);
  if (move == null) throw new Error('the line was booked');
  const plan = { live_at: null, disclosing: 'never' as const, gone_after_ms: null };
  return goLive({ ...move.post, plan }, PUBLISHED_AT, { postId: '1', profileUrl: 'https://x.com/demo_ada' }).post;
};
const aClaim = (attempt: number) =>
  newClaim(
    { id: 'c', attempt, claim: 'not_as_agreed', text: 'It names a competitor.', evidence: [], opened_by: 'key' },
    after(1),
    true,
  );

/** docs/domain/orders.md#claims. */
describe('a claim', () => {
  it.each([
    ['the creator of the line', 1, true],
    ['the creator before', 0, false],
  ])('about the post of %s may bring a remedy: attempt %d, %s', (_whose, attempt, may) => {
    expect(mayRemedy(livePost(), aClaim(attempt))).toBe(may);
  });

  it('about the post of another creator is decided with nothing in a sandbox', () => {
    const decided = afterDue(claimed(livePost(), aClaim(0)).post, 'claim', after(25)).post;
    expect(decided.claims).toMatchObject([{ decided: { remedy: 'none' } }]);
    expect(decided.remedy ?? null).toBeNull();
  });
});

/** docs/domain/orders.md#proof. */
describe('the day to show a disclosure', () => {
  it('begins with the first look that accepts the post, and another look does not extend it', () => {
    const first = lookedAt(livePost(), 'accepted', after(1));
    expect(first).toMatchObject({ emits: true, post: { undisclosed_at: after(25) } });
    const second = lookedAt(first.post, 'accepted', after(20));
    expect(second).toMatchObject({ emits: false, post: { undisclosed_at: after(25) } });
  });
});

/** docs/domain/events.md#events: a change has one event, and no version is skipped. */
describe('a look that finds a disclosure and rejects the post', () => {
  it('is one version of the post', () => {
    const post = livePost();
    const looked = afterLook(post, { verdict: 'rejected', disclosure: '#ad' }, after(1));
    expect(looked).toMatchObject({ emits: true, post: { status: 'booked', version: post.version + 1 } });
  });
});

/** docs/domain/orders.md#remedies: a post without its proof is over with its remedy. */
describe('a post with its remedy', () => {
  const remedy = { kind: 'replace' as const, cause: 'dispute' as const, amount_cents: null };

  it('has nothing due any more', () => {
    const live = lookedAt(livePost(), 'accepted', after(1)).post;
    expect(dueFactsOf(live)).not.toEqual([]);
    const { post } = remedied(live, remedy, after(2));
    expect([dueFactsOf(post), post.due_at]).toEqual([[], null]);
  });

  it('is read on where it has its proof', () => {
    const live = livePost();
    const proved = withReadings(live, PUBLISHED_AT, [aReading(168)]).post;
    const { post } = remedied(proved, { ...remedy, kind: 'credit' }, after(169));
    expect(dueFactsOf(post).map(({ kind }) => kind)).toContain('reading');
  });
});

const proved = { figures: figuresOf(PUBLISHED_AT, [aReading(168)]) };

/** docs/domain/orders.md#sandbox-creators. */
describe('a sandbox post that goes live', () => {
  const at = { postId: '9', profileUrl: 'https://x.com/ada' };
  it('becomes what its plan says', () => {
    const plan = {
      live_at: null,
      disclosing: 'late',
      gone_after_ms: HOUR_MS,
      back_after_ms: 7,
      verdict: 'rejected',
    } as const;
    expect(goLive(aBookedPost({ plan, remedy_at: after(1) }), PUBLISHED_AT, at)).toMatchObject({
      emits: true,
      post: {
        status: 'live',
        blocked_reason: null,
        post_id: '9',
        proof_url: 'https://x.com/ada/status/9',
        published_at: PUBLISHED_AT,
        plan: null,
        missing_at: null,
        remedy_at: null,
        look_at: after(1),
        verdict: 'rejected',
        content: sandboxContent('9', 1),
        disclosure: null,
        disclosure_at: after(12),
        reading_at: after(1),
        gone_due_at: after(1),
        back_after_ms: 7,
      },
    });
  });

  it('is disclosed and stays where it has no plan', () => {
    expect(goLive(aBookedPost({ plan: null }), PUBLISHED_AT, at).post).toMatchObject({
      disclosure: 'Paid partnership label',
      disclosure_at: null,
      gone_due_at: null,
      back_after_ms: null,
      verdict: 'accepted',
    });
    const never = { live_at: null, disclosing: 'never', gone_after_ms: null } as const;
    expect(goLive(aBookedPost({ plan: never }), PUBLISHED_AT, at).post).toMatchObject({
      disclosure: null,
      disclosure_at: null,
    });
  });
});

/** docs/domain/orders.md#proof. */
describe('a post that is submitted', () => {
  const of = { postId: '77', url: 'https://x.com/ada/status/77', publishedAt: PUBLISHED_AT, disclosure: null };
  const read = aLivePost({
    figures: figuresOf(PUBLISHED_AT, [aReading(6)]),
    undisclosed_at: after(30),
    content: sandboxContent('77', 2),
    inflated_by: 20,
    reading_asked_at: after(1),
  });

  it('again keeps its readings and what is left of its time to disclose', () => {
    const { post, emits } = submitted(read, after(20), of);
    expect(emits).toBe(true);
    expect(post).toMatchObject({
      status: 'live',
      figures: read.figures,
      content: read.content,
      inflated_by: 20,
      reading_asked_at: after(1),
      undisclosed_at: after(30),
      disclose_by: after(30),
      reading_at: after(24),
      look_at: after(21),
      verdict: 'accepted',
    });
    expect(
      submitted({ ...read, undisclosed_at: null, disclose_by: after(25) }, after(20), of).post.disclose_by,
    ).toEqual(after(25));
    expect(submitted({ ...read, undisclosed_at: null }, after(20), of).post.disclose_by).toBeNull();
    expect(submitted(read, after(20), { ...of, disclosure: '#ad' }).post).toMatchObject({
      disclosure: '#ad',
      undisclosed_at: null,
    });
    expect(submitted(aLivePost(), after(20), of).post.reading_at).toEqual(after(1));
  });

  it('in place of another begins with nothing seen', () => {
    const { post } = submitted(read, after(20), { ...of, postId: '78' });
    expect(post).toMatchObject({
      post_id: '78',
      figures: NO_FIGURES,
      content: null,
      inflated_by: 1,
      reading_asked_at: null,
      undisclosed_at: null,
      disclose_by: null,
      reading_at: after(1),
    });
  });

  it('of a live workspace is looked at and read by the team', () => {
    const blocked = aLivePost({
      sandbox: false,
      status: 'blocked',
      blocked_reason: 'post_gone',
      gone_at: after(1),
      back_at: after(2),
      back_after_ms: 3,
      remedy_at: after(4),
      gone_due_at: after(5),
      disclosure_at: after(6),
    });
    expect(submitted(blocked, after(20), of).post).toMatchObject({
      look_at: null,
      reading_at: null,
      blocked_reason: null,
      gone_at: null,
      back_at: null,
      back_after_ms: null,
      remedy_at: null,
      gone_due_at: null,
      disclosure_at: null,
    });
  });
});

describe('a post that is due', () => {
  it.each<[what: string, post: Post, kind: Parameters<typeof afterDue>[1], emits: boolean, made: Partial<Post>]>([
    [
      'shows its disclosure',
      aLivePost({ disclosure: null }),
      'disclosure',
      true,
      { disclosure: 'Paid partnership label', disclosure_at: null, undisclosed_at: null, disclose_by: null },
    ],
    [
      'is blocked as missing',
      aBookedPost(),
      'post_missing',
      true,
      { status: 'blocked', blocked_reason: 'post_missing', missing_at: null, remedy_at: after(58) },
    ],
    [
      'is blocked without its disclosure',
      aLivePost(),
      'no_disclosure',
      true,
      { status: 'blocked', blocked_reason: 'no_disclosure', undisclosed_at: null, disclose_by: after(10) },
    ],
    [
      'is proved, and needs none',
      aLivePost({ status: 'completed', undisclosed_at: after(1) }),
      'no_disclosure',
      false,
      { status: 'completed', undisclosed_at: null },
    ],
    [
      'is gone',
      aLivePost({ look_at: after(20), undisclosed_at: after(21) }),
      'post_gone',
      true,
      {
        status: 'blocked',
        blocked_reason: 'post_gone',
        gone_at: after(10),
        look_at: null,
        undisclosed_at: null,
        gone_due_at: null,
        back_at: null,
      },
    ],
    [
      'is back',
      aLivePost({ status: 'blocked', gone_at: after(1) }),
      'post_back',
      true,
      { status: 'live', gone_at: null, blocked_reason: null },
    ],
    ['is looked at', aLivePost({ look_at: after(10) }), 'post_look', false, { status: 'live', look_at: null }],
    [
      'is looked at and rejected',
      aLivePost({ look_at: after(10), verdict: 'rejected' }),
      'post_look',
      true,
      { status: 'booked', look_at: null },
    ],
    ['is to be read', aLivePost({ sandbox: false }), 'reading_due', false, { reading_asked_at: after(10) }],
    [
      'of a live workspace has its remedy decided by the team',
      aLivePost({ sandbox: false, status: 'blocked', remedy_at: after(10) }),
      'remedy',
      true,
      { remedy_at: null },
    ],
  ])('%s', (_what, post, kind, emits, made) => {
    const move = afterDue(post, kind, after(10));
    expect(move.emits).toBe(emits);
    expect(move.post).toMatchObject(made);
  });

  it('goes with its proof once it is proved, and may be back', () => {
    expect(gone(aLivePost({ status: 'completed', reading_at: after(20) }), after(10))).toMatchObject({
      emits: true,
      post: { status: 'completed', gone_at: after(10), reading_at: null },
    });
    expect(gone(aLivePost({ back_after_ms: HOUR_MS }), after(10)).post.back_at).toEqual(after(11));
    expect(gone(aLivePost({ back_after_ms: null }), after(10)).post.back_at).toBeNull();
  });

  it('is back without what it lacked, and with what was due meanwhile due at once', () => {
    const was = aLivePost({
      status: 'blocked',
      blocked_reason: 'post_gone',
      gone_at: after(1),
      look_at: after(5),
      reading_at: after(6),
      disclosure_at: after(30),
      back_after_ms: 1,
      back_at: after(9),
      remedy_at: after(40),
    });
    expect(back(was, after(10)).post).toMatchObject({
      look_at: after(10),
      reading_at: after(10),
      disclosure_at: after(30),
      undisclosed_at: null,
      back_at: null,
      back_after_ms: null,
      remedy_at: null,
    });
    const bare = back({ ...was, disclosure: null, look_at: null, reading_at: null, ...proved }, after(10)).post;
    expect(bare).toMatchObject({ status: 'completed', look_at: null, reading_at: null, undisclosed_at: after(34) });
  });

  it.each<[what: string, over: Partial<Post>, emits: boolean, made: Partial<Post>]>([
    [
      'goes on once it shows what it was blocked for',
      {
        status: 'blocked',
        blocked_reason: 'no_disclosure',
        remedy_at: after(20),
        look_at: after(1),
        reading_at: after(2),
      },
      true,
      { status: 'live', blocked_reason: null, remedy_at: null, look_at: after(10), reading_at: after(10) },
    ],
    [
      'goes on proved',
      { status: 'blocked', blocked_reason: 'no_disclosure', ...proved },
      true,
      { status: 'completed', look_at: null },
    ],
    [
      'stays blocked for another reason',
      { status: 'blocked', blocked_reason: 'post_gone', remedy_at: after(20) },
      true,
      { status: 'blocked', remedy_at: after(20) },
    ],
    ['shows nothing new', { disclosure: '#shown' }, false, { status: 'live', disclosure: '#shown' }],
    [
      'shows something else',
      { undisclosed_at: after(20), disclose_by: after(20), disclosure_at: after(21) },
      true,
      { disclosure: '#shown', undisclosed_at: null, disclose_by: null, disclosure_at: null },
    ],
  ])('that is disclosed %s', (_what, over, emits, made) => {
    const move = disclosed(aLivePost(over), '#shown', after(10));
    expect(move.emits).toBe(emits);
    expect(move.post).toMatchObject(made);
  });

  it.each<[what: string, over: Partial<Post>, emits: boolean, by: Date | null, spent: Date | null]>([
    ['has a day to show its disclosure', { disclosure: null }, true, after(34), null],
    ['has what is left of that day', { disclosure: null, undisclosed_at: after(20) }, false, after(20), null],
    [
      'has what was left when it was submitted again',
      { disclosure: null, disclose_by: after(15) },
      true,
      after(15),
      after(15),
    ],
    ['shows it', { disclose_by: after(15) }, false, null, null],
    ['is proved without it', { disclosure: null, status: 'completed' }, false, null, null],
  ])('that is accepted %s', (_what, over, emits, undisclosed_at, disclose_by) => {
    const move = lookedAt(aLivePost({ look_at: after(10), ...over }), 'accepted', after(10));
    expect(move.emits).toBe(emits);
    expect(move.post).toMatchObject({ look_at: null, undisclosed_at, disclose_by });
  });

  it('that is rejected is to be posted again, in a sandbox half a day later', () => {
    const full = aLivePost({
      content: sandboxContent('77', 1),
      inflated_by: 20,
      reading_asked_at: after(1),
      gone_due_at: after(1),
      back_after_ms: 1,
      undisclosed_at: after(1),
      disclose_by: after(1),
      disclosure_at: after(1),
      reading_at: after(1),
    });
    const cleared = {
      status: 'booked',
      post_id: null,
      proof_url: null,
      published_at: null,
      disclosure: null,
      disclosure_at: null,
      undisclosed_at: null,
      disclose_by: null,
      reading_at: null,
      gone_due_at: null,
      back_after_ms: null,
      figures: NO_FIGURES,
      content: null,
      inflated_by: 1,
      reading_asked_at: null,
    };
    const early = lookedAt(full, 'rejected', after(1));
    expect(early).toMatchObject({
      emits: true,
      post: {
        ...cleared,
        missing_at: new Date('2026-12-05T00:00:00Z'),
        plan: { live_at: after(13), disclosing: 'now', gone_after_ms: null },
      },
    });
    expect(lookedAt(full, 'rejected', after(80)).post.missing_at).toEqual(after(93));
    expect(lookedAt({ ...full, sandbox: false }, 'rejected', after(1)).post.plan).toBeNull();
  });
});

describe('a remedy', () => {
  const blocked = aLivePost({
    _id: 'line',
    status: 'blocked',
    blocked_reason: 'post_gone',
    remedy_at: after(10),
    back_at: after(11),
    window_end: '2026-12-20',
  });
  const played = (over: Partial<Post>, at: string) =>
    afterDue({ ...blocked, ...over }, 'remedy', new Date(at)).post.remedy;

  it.each([
    ['replace', '2026-12-19T00:00:00.000Z'],
    ['credit', '2026-12-19T00:00:00.001Z'],
  ])('that a sandbox plays is a %s at %s, while two days of the window are left or not', (kind, at) => {
    expect(played({}, at)).toEqual({
      id: namedUuid('remedy', 'line', '1', 'post_gone'),
      kind,
      cause: 'post_gone',
      amount_cents: null,
      at: new Date(at),
    });
  });

  it('is a credit without a window, and for a missing post where no reason is known', () => {
    const at = '2026-12-10T00:00:00.000Z';
    expect(played({ window_end: null }, at)).toMatchObject({ kind: 'credit' });
    expect(played({ blocked_reason: null }, at)).toMatchObject({ cause: 'post_missing' });
    expect(afterDue(blocked, 'remedy', new Date(at))).toMatchObject({
      emits: true,
      post: { remedy_at: null, back_at: null, plan: null },
    });
  });
});

describe('the decision of a claim', () => {
  const open = claimed(aLivePost({ _id: 'line' }), aClaim(1)).post;
  const decision = { amount_cents: 500, reason: 'Because', by: 'op' };

  it.each([
    ['credit', 'credit'],
    ['makegood', 'replace'],
  ] as const)('for a %s asks for a %s', (remedy, kind) => {
    const move = claimDecided(open, { ...decision, remedy }, after(30));
    expect(move.post.claims).toMatchObject([{ decided: { ...decision, remedy, at: after(30) }, played_at: null }]);
    expect(move).toMatchObject({
      emits: true,
      post: { remedy: { kind, cause: 'dispute', amount_cents: 500, at: after(30) } },
    });
  });

  it('for nothing asks for none', () => {
    const move = claimDecided(open, { ...decision, remedy: 'none' }, after(30));
    expect([move.emits, move.post.remedy ?? null]).toEqual([true, null]);
    expect(claimDecided(aLivePost(), { ...decision, remedy: 'none' }, after(30)).post.claims).toEqual([]);
  });

  it('in a sandbox is for the brand while a remedy is to be had', () => {
    expect(afterDue(open, 'claim', after(25)).post.claims).toMatchObject([
      {
        decided: {
          remedy: 'credit',
          amount_cents: null,
          reason: 'The sandbox decides each claim for the brand.',
          by: 'sandbox',
        },
      },
    ]);
    for (const over of [{ stopped: true }, { booked: false }])
      expect(afterDue({ ...open, ...over }, 'claim', after(25)).post.claims).toMatchObject([
        {
          decided: {
            remedy: 'none',
            amount_cents: null,
            reason: 'The line has ended, has its remedy, or has another creator.',
            by: 'sandbox',
          },
        },
      ]);
    expect(afterDue(aLivePost(), 'claim', after(25)).post.remedy ?? null).toBeNull();
    expect(claimed(open, aClaim(2)).post.claims).toHaveLength(2);
  });
});

describe('readings of a post', () => {
  const read = (post: Post, ...of: Parameters<typeof aReading>[]) =>
    withReadings(
      post,
      PUBLISHED_AT,
      of.map(([hours, over]) => aReading(hours, { post_id: '77', ...over })),
    );

  it('prove a live post once, and count each time', () => {
    const first = read(aLivePost({ version: 1, readings_version: 4 }), [168]);
    expect(first).toMatchObject({
      emits: true,
      post: { status: 'completed', readings_version: 5, reading_at: after(336) },
    });
    expect(read(first.post, [168], [200])).toMatchObject({
      emits: false,
      post: { status: 'completed', readings_version: 6 },
    });
    expect(read(aLivePost(), [24])).toMatchObject({
      emits: false,
      post: { status: 'live', readings_version: 1, reading_at: after(48) },
    });
    expect(read(aLivePost({ sandbox: false }), [24]).post.reading_at).toBeNull();
    expect(read(aLivePost()).post.reading_at).toEqual(after(1));
  });

  it('prove a blocked post too, and an earlier one that comes late changes its proof', () => {
    const blocked = read(aLivePost({ status: 'blocked', blocked_reason: 'no_disclosure' }), [170]);
    expect(blocked).toMatchObject({
      emits: true,
      post: { status: 'blocked', figures: { still_up: { checked_at: after(170) } } },
    });
    expect(read(blocked.post, [168], [170])).toMatchObject({ emits: true });
    expect(read(blocked.post, [170, { views: 5 }])).toMatchObject({ emits: true });
    expect(read(blocked.post, [170])).toMatchObject({ emits: false });
  });

  it('that stand out are marked', () => {
    const odd: Parameters<typeof aReading> = [24, { views: 400_000, likes: 1, comments: 0, shares: 0 }];
    const expected = { views_high: 27_000, engagement_rate: 2 };
    expect(read(aLivePost(expected), odd).post.figures.unusual).toBe(true);
    expect(read(aLivePost({ ...expected, views_high: null }), odd).post.figures).not.toHaveProperty('unusual');
    expect(read(aLivePost({ ...expected, engagement_rate: null }), odd).post.figures).not.toHaveProperty('unusual');
    expect(read(aLivePost(expected)).post.figures).not.toHaveProperty('unusual');
  });
});
