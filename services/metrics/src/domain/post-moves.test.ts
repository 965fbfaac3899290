import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aReading, aSignedLine, PUBLISHED_AT } from '../test/builders.js';
import { newClaim } from './claim.js';
import { withOffer, withSigned } from './line.js';
import { dueFactsOf, type Post } from './post.js';
import { afterDue, claimed, goLive, lookedAt, mayRemedy, remedied, withReadings } from './post-moves.js';
import { followLine } from './post-planning.js';
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

/** docs/domain/access.md#events: a change has one event, and no version is skipped. */
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
