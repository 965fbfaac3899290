// What happens to a post once it is due (docs/domain/orders.md#proof, docs/domain/orders.md#results).
import { namedUuid } from '@cds/service/named-uuid';
import { type Claim, openClaim, withDecision } from './claim.js';
import {
  DAY_MS,
  DISCLOSE_WITHIN_MS,
  DISCLOSED_LATER_MS,
  HOUR_MS,
  LOOK_AFTER_MS,
  POSTS_AGAIN_AFTER_MS,
  REMEDY_AFTER_MS,
  REPLACEABLE_UNTIL_MS,
  SANDBOX_DISCLOSURE,
} from './constants.js';
import {
  type BlockedReason,
  isUnderWay,
  missingAt,
  moved,
  type Post,
  type PostDueKind,
  type PostMove,
  type PostPlan,
  type Remedy,
} from './post.js';
import { type Figures, figuresOf, NO_FIGURES, nextReadingAt, type Reading, readingsOfPost } from './reading.js';
import { sandboxContent } from './sandbox-content.js';
import { type Counted, isUnusual } from './unusual.js';

export const goLive = (
  post: Post,
  at: Date,
  { postId, profileUrl }: { postId: string; profileUrl: string },
): PostMove => {
  const plan: PostPlan = post.plan ?? { live_at: at, disclosing: 'now', gone_after_ms: null };
  return moved(
    post,
    {
      status: 'live',
      blocked_reason: null,
      post_id: postId,
      proof_url: `${profileUrl}/status/${postId}`,
      published_at: at,
      plan: null,
      missing_at: null,
      remedy_at: null,
      look_at: after(at, LOOK_AFTER_MS),
      verdict: plan.verdict ?? 'accepted',
      content: sandboxContent(postId, 1),
      disclosure: plan.disclosing === 'now' ? SANDBOX_DISCLOSURE : null,
      disclosure_at: plan.disclosing === 'late' ? after(at, DISCLOSED_LATER_MS) : null,
      reading_at: nextReadingAt(at, null),
      gone_due_at: plan.gone_after_ms === null ? null : after(at, plan.gone_after_ms),
      back_after_ms: plan.back_after_ms ?? null,
    },
    true,
  );
};

/** The same post submitted again keeps its readings, and what is left of its time to show a disclosure. */
export const submitted = (
  post: Post,
  at: Date,
  of: { postId: string; url: string; publishedAt: Date; disclosure: string | null },
): PostMove => {
  const same = of.postId === post.post_id;
  const disclose_by = same ? (post.undisclosed_at ?? post.disclose_by ?? null) : null;
  return moved(
    post,
    {
      ...(same ? {} : NOTHING_SEEN),
      status: 'live',
      blocked_reason: null,
      post_id: of.postId,
      proof_url: of.url,
      published_at: of.publishedAt,
      plan: null,
      missing_at: null,
      remedy_at: null,
      gone_at: null,
      back_at: null,
      back_after_ms: null,
      disclosure: of.disclosure,
      disclosure_at: null,
      undisclosed_at: of.disclosure === null ? disclose_by : null,
      disclose_by,
      look_at: post.sandbox ? after(at, LOOK_AFTER_MS) : null,
      verdict: 'accepted',
      reading_at: post.sandbox ? nextReadingAt(of.publishedAt, same ? latestReading(post) : null) : null,
      gone_due_at: null,
    },
    true,
  );
};

const latestReading = ({ figures }: Post): Date | null => figures.latest?.captured_at ?? null;

const NOTHING_SEEN = {
  figures: NO_FIGURES,
  content: null,
  inflated_by: 1,
  reading_asked_at: null,
} satisfies Partial<Post>;

export const askedToRepost = (post: Post, reason: BlockedReason, at: Date): PostMove =>
  blocked(
    {
      ...post,
      gone_at: reason === 'post_gone' ? (post.gone_at ?? at) : post.gone_at,
      undisclosed_at: null,
      disclose_by: post.undisclosed_at ?? post.disclose_by ?? null,
    },
    reason,
    at,
  );

export const afterDue = (post: Post, kind: Exclude<PostDueKind, 'post' | 'reading'>, at: Date): PostMove => {
  switch (kind) {
    case 'disclosure':
      return disclosed(post, SANDBOX_DISCLOSURE, at);
    case 'post_missing':
      return blocked({ ...post, missing_at: null }, 'post_missing', at);
    case 'no_disclosure':
      return post.status === 'live'
        ? blocked({ ...post, undisclosed_at: null, disclose_by: at }, 'no_disclosure', at)
        : moved(post, { undisclosed_at: null }, false);
    case 'post_gone':
      return gone(post, at);
    case 'post_back':
      return back(post, at);
    case 'post_look':
      return lookedAt(post, post.verdict ?? 'accepted', at);
    case 'reading_due':
      return moved(post, { reading_asked_at: at }, false);
    case 'claim':
      return claimDecided(post, playedDecision(post), at);
    case 'remedy':
      return post.sandbox ? remedied(post, playedRemedy(post, at), at) : moved(post, { remedy_at: null }, true);
  }
};

/** The line cannot continue as it is: without a remedy by its creator the team decides on one two days later. */
const blocked = (post: Post, reason: BlockedReason, at: Date): PostMove =>
  moved(post, { status: 'blocked', blocked_reason: reason, remedy_at: after(at, REMEDY_AFTER_MS) }, true);

export const gone = (post: Post, at: Date): PostMove => {
  const without = { ...post, gone_at: at, gone_due_at: null, look_at: null, undisclosed_at: null };
  if (post.status === 'completed') return moved(without, { reading_at: null }, true);
  const back_at = post.back_after_ms == null ? null : after(at, post.back_after_ms);
  return blocked({ ...without, back_at }, 'post_gone', at);
};

/** The post is there again before its remedy was decided: the line continues, still without what it lacked. */
export const back = (post: Post, at: Date): PostMove =>
  moved(
    post,
    {
      status: goesOn(post),
      blocked_reason: null,
      gone_at: null,
      back_at: null,
      back_after_ms: null,
      remedy_at: null,
      look_at: later(post.look_at ?? null, at),
      reading_at: later(post.reading_at, at),
      disclosure_at: later(post.disclosure_at, at),
      undisclosed_at: post.disclosure === null ? after(at, DISCLOSE_WITHIN_MS) : null,
    },
    true,
  );

const goesOn = ({ figures }: Post): 'live' | 'completed' => (figures.still_up === null ? 'live' : 'completed');

export const disclosed = (post: Post, disclosure: string, at: Date): PostMove => {
  const shown = { disclosure, disclosure_at: null, undisclosed_at: null, disclose_by: null };
  return post.status === 'blocked' && post.blocked_reason === 'no_disclosure'
    ? moved(
        post,
        {
          ...shown,
          status: goesOn(post),
          blocked_reason: null,
          remedy_at: null,
          look_at: later(post.look_at ?? null, at),
          reading_at: later(post.reading_at, at),
        },
        true,
      )
    : moved(post, shown, disclosure !== post.disclosure);
};

/**
 * An accepted post has a day to show its disclosure, which another look does not extend. A rejected one frees its id,
 * and in a sandbox its creator posts again half a day later.
 */
export const lookedAt = (post: Post, verdict: 'accepted' | 'rejected', at: Date): PostMove => {
  if (verdict === 'accepted') {
    const asks = asksForDisclosure(post);
    const spent = post.disclosure === null ? (post.disclose_by ?? null) : null;
    const by = asks ? (post.undisclosed_at ?? spent ?? after(at, DISCLOSE_WITHIN_MS)) : null;
    return moved(post, { look_at: null, undisclosed_at: by, disclose_by: spent }, asks && post.undisclosed_at == null);
  }
  const again = after(at, POSTS_AGAIN_AFTER_MS);
  const missing = missingAt(post.scheduled_date);
  return moved(
    post,
    {
      status: 'booked',
      blocked_reason: null,
      post_id: null,
      proof_url: null,
      published_at: null,
      disclosure: null,
      disclosure_at: null,
      undisclosed_at: null,
      disclose_by: null,
      look_at: null,
      reading_at: null,
      gone_due_at: null,
      back_after_ms: null,
      ...NOTHING_SEEN,
      missing_at: missing > again ? missing : after(again, HOUR_MS),
      plan: post.sandbox ? { live_at: again, disclosing: 'now', gone_after_ms: null } : null,
    },
    true,
  );
};

const playedRemedy = (post: Post, at: Date): Pick<Remedy, 'kind' | 'cause' | 'amount_cents'> => {
  const end = post.window_end == null ? null : Date.parse(`${post.window_end}T00:00:00.000Z`) + DAY_MS;
  const replaceable = end !== null && end - at.getTime() >= REPLACEABLE_UNTIL_MS;
  return { kind: replaceable ? 'replace' : 'credit', cause: post.blocked_reason ?? 'post_missing', amount_cents: null };
};

export const remedied = (post: Post, remedy: Pick<Remedy, 'kind' | 'cause' | 'amount_cents'>, at: Date): PostMove =>
  moved(
    post,
    {
      remedy: { ...remedy, id: namedUuid('remedy', post._id, String(post.attempt), remedy.cause), at },
      remedy_at: null,
      back_at: null,
      plan: null,
    },
    true,
  );

const playedDecision = (post: Post): Decision => {
  const claim = openClaim(post);
  return claim !== null && mayRemedy(post, claim)
    ? { remedy: 'credit', amount_cents: null, reason: 'The sandbox decides each claim for the brand.', by: 'sandbox' }
    : {
        remedy: 'none',
        amount_cents: null,
        reason: 'The line has ended, has its remedy, or has another creator.',
        by: 'sandbox',
      };
};

type Decision = Omit<NonNullable<Claim['decided']>, 'at'>;

/** The line continues without a remedy: of a remedy and anything else that happens to it, the first counts. */
export const mayRemedy = (post: Post, claim: Claim): boolean => isUnderWay(post) && claim.attempt === post.attempt;

export const claimed = (post: Post, claim: Claim): PostMove =>
  moved(post, { claims: [...(post.claims ?? []), claim] }, true);

/** A makegood asks another creator, a credit returns money; a line without its proof ends with it. */
export const claimDecided = (post: Post, decision: Decision, at: Date): PostMove => {
  const { remedy, amount_cents } = decision;
  const decided = { ...post, claims: withDecision(post.claims ?? [], { ...decision, at }) };
  if (remedy === 'none') return moved(decided, {}, true);
  return remedied(decided, { kind: remedy === 'makegood' ? 'replace' : 'credit', cause: 'dispute', amount_cents }, at);
};

const asksForDisclosure = ({ status, disclosure }: Post): boolean => status === 'live' && disclosure === null;

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
const later = (one: Date | null, other: Date): Date | null => (one === null || one > other ? one : other);

/** The first reading at or after seven days completes the line (I61). */
export const withReadings = (
  post: Post,
  publishedAt: Date,
  readings: readonly Reading[],
  history: readonly Counted[] = [],
): PostMove => {
  const read = figuresOf(publishedAt, readingsOfPost({ post_id: post.post_id, published_at: publishedAt }, readings));
  const expected = { views_high: post.views_high ?? null, engagement_rate: post.engagement_rate };
  const unusual = read.latest !== null && isUnusual(read.latest, history, expected);
  const figures: Figures = unusual ? { ...read, unusual } : read;
  const completes = figures.still_up !== null && post.status === 'live';
  // A post that is blocked then has its proof too, and an earlier reading that comes late changes it.
  const proves = !isSameProof(figures.still_up, post.figures.still_up);
  const reading_at = post.sandbox ? nextReadingAt(publishedAt, figures.latest?.captured_at ?? null) : null;
  const readings_version = (post.readings_version ?? 0) + 1;
  return moved(
    post,
    { figures, reading_at, readings_version, status: completes ? 'completed' : post.status },
    completes || proves,
  );
};

const isSameProof = (one: Figures['still_up'], other: Figures['still_up']): boolean =>
  one?.checked_at.getTime() === other?.checked_at.getTime() && one?.views === other?.views;
