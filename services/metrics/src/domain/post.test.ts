import { describe, expect, it } from '@jest/globals';
import { aReading } from '../test/builders.js';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { newClaim } from './claim.js';
import {
  asOne,
  awaitsPost,
  dueFactsOf,
  isListed,
  isUnderWay,
  isWatched,
  moved,
  type Post,
  randomKeyOf,
  submissionOf,
} from './post.js';
import { figuresOf } from './reading.js';

const remedy = { id: 'r', kind: 'credit' as const, cause: 'dispute' as const, amount_cents: null, at: hoursAfter(1) };
/** Every time that a post can have. */
const TIMES: Partial<Post> = {
  plan: { live_at: hoursAfter(1), disclosing: 'now', gone_after_ms: null },
  missing_at: hoursAfter(2),
  look_at: hoursAfter(3),
  gone_due_at: hoursAfter(4),
  disclosure_at: hoursAfter(5),
  undisclosed_at: hoursAfter(6),
  reading_at: hoursAfter(7),
  remedy_at: hoursAfter(8),
  back_at: hoursAfter(9),
};
const kindsOf = (post: Post): string =>
  dueFactsOf(post)
    .map(({ kind }) => kind)
    .join(' ');
const proved = { figures: figuresOf(hoursAfter(0), [aReading(168)]) };

/** docs/domain/orders.md#clock-jobs. */
describe('what falls due of a post', () => {
  it.each<[kinds: string, what: string, over: Partial<Post>]>([
    ['post post_missing', 'that is to come', { status: 'booked', published_at: null }],
    ['post post_gone disclosure remedy', 'that is blocked', { status: 'blocked' }],
    ['post_look post_gone disclosure no_disclosure reading', 'that is live', { status: 'live' }],
    ['post_look post_gone disclosure no_disclosure reading', 'that is proved', { status: 'completed' }],
    ['remedy post_back', 'that is gone', { status: 'blocked', gone_at: hoursAfter(0) }],
    ['', 'that went after its proof', { status: 'completed', gone_at: hoursAfter(0) }],
    ['', 'of a line that has ended', { status: 'live', stopped: true }],
    ['', 'with its remedy', { status: 'blocked', remedy }],
    ['post_look post_gone disclosure no_disclosure reading', 'proved, with a remedy', { status: 'completed', remedy }],
  ])('is "%s" of one %s', (kinds, _what, over) => {
    expect(kindsOf(aLivePost({ ...TIMES, ...over }))).toBe(kinds);
  });

  it.each<[asked: boolean, what: string, over: Partial<Post>]>([
    [true, 'that is live', {}],
    [false, 'of a sandbox, which reads it itself', { sandbox: true }],
    [false, 'that is proved', { status: 'completed' }],
    [false, 'for which it was asked', { reading_asked_at: hoursAfter(168) }],
    [false, 'that is not published', { published_at: null }],
  ])('the team is asked to read after seven days: %s, one %s', (asked, _what, over) => {
    const post = { ...aLivePost({ sandbox: false }), ...over };
    expect(dueFactsOf(post)).toEqual(asked ? [{ kind: 'reading_due', at: hoursAfter(168) }] : []);
  });

  it('is the decision of an open claim too, even once the line has ended', () => {
    const claim = newClaim(
      { id: 'c', attempt: 1, claim: 'not_as_agreed', text: '', evidence: [], opened_by: 'key' },
      hoursAfter(0),
      true,
    );
    expect(dueFactsOf(aLivePost({ stopped: true, claims: [claim] }))).toEqual([{ kind: 'claim', at: hoursAfter(24) }]);
  });
});

describe('a change of a post', () => {
  it('is one write, with its earliest due fact, and a version where others see it', () => {
    const post = aLivePost({ version: 4, rev: 7 });
    expect(moved(post, { reading_at: hoursAfter(1) }, false)).toEqual({
      post: { ...post, reading_at: hoursAfter(1), rev: 8, due_at: hoursAfter(1) },
      emits: false,
    });
    expect(moved(post, {}, true).post).toMatchObject({ version: 5, due_at: null });
    expect(asOne(post, { ...post, version: 9 }, true)).toEqual({ post: { ...post, version: 5 }, emits: true });
    expect(asOne(post, { ...post, version: 9 }, false).post.version).toBe(4);
  });

  it('draws by the seed of its sandbox, or the first one', () => {
    const post = aLivePost({ campaign_number: 3, number: 2, attempt: 4 });
    const key = { campaignNumber: 3, lineNumber: 2, attempt: 4 };
    expect(randomKeyOf(post)).toEqual({ ...key, seed: 1 });
    expect(randomKeyOf({ ...post, seed: 9 })).toEqual({ ...key, seed: 9 });
  });
});

describe('a post', () => {
  const BY = hoursAfter(24);
  const blocked = (blocked_reason: Post['blocked_reason']) => aLivePost({ status: 'blocked', blocked_reason });
  it.each<[what: string, post: Post, is: string]>([
    ['that is to come', aBookedPost(), 'underWay, watched, awaits, takes any'],
    ['that is live', aLivePost(), 'listed, underWay, watched, takes none'],
    ['that is to show its disclosure', aLivePost({ undisclosed_at: BY }), 'listed, underWay, watched, takes same'],
    [
      'that is proved, whatever it showed',
      aLivePost({ status: 'completed', undisclosed_at: BY }),
      'listed, underWay, watched, takes none',
    ],
    ['that is missing', blocked('post_missing'), 'listed, underWay, watched, awaits, takes any'],
    ['that shows no disclosure', blocked('no_disclosure'), 'listed, underWay, watched, takes any'],
    ['that went before its proof', aLivePost({ gone_at: BY }), 'underWay, watched, takes none'],
    ['that went after its proof', aLivePost({ gone_at: BY, ...proved }), 'listed, underWay, watched, takes none'],
    ['of a former creator', aLivePost({ booked: false, status: 'completed' }), 'takes none'],
    ['of a line that has ended', aLivePost({ stopped: true, status: 'completed' }), 'listed, takes none'],
    ['with its remedy', { ...blocked('post_missing'), remedy }, 'listed, takes none'],
    ['that is proved and disputed', aLivePost({ status: 'completed', remedy }), 'listed, watched, takes none'],
  ])('%s', (_what, post, is) => {
    const claims = { listed: isListed, underWay: isUnderWay, watched: isWatched, awaits: awaitsPost };
    const held = Object.entries(claims).flatMap(([claim, holds]) => (holds(post) ? [claim] : []));
    expect([...held, `takes ${submissionOf(post)}`].join(', ')).toBe(is);
  });
});
