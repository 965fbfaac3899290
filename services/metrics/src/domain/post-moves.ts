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
import { metricsAt } from './persona.js';
import {
  type BlockedReason,
  isUnderWay,
  isWatched,
  missingAt,
  moved,
  type Post,
  type PostDueKind,
  type PostMove,
  type PostPlan,
  type Remedy,
  randomKeyOf,
} from './post.js';
import { type Figures, figuresOf, type Metrics, NO_FIGURES, nextReadingAt, type Reading } from './reading.js';
import { type Counted, isUnusual } from './unusual.js';

// What happens to a post once it is due: it goes live, is disclosed, read, gone or missing
// (docs/domain/orders.md#proof, docs/domain/orders.md#results).

/** What a post of the fake network says, in one of its versions. */
const sandboxContent = (postId: string, version: number): NonNullable<Post['content']> => ({
  text: `A post of the sandbox, number ${postId}, version ${version}.`,
  media_ids: [`media-${postId}`],
});

/** A sandbox post goes live at `at` under the creator's profile; its plan becomes due facts. */
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

/**
 * A post that was submitted at `at` and checked is the proof of its line, which is live at once; the team looks at it
 * then. A post that was gone and is submitted again keeps its readings.
 */
export const submitted = (
  post: Post,
  at: Date,
  of: { postId: string; url: string; publishedAt: Date; disclosure: string | null },
): PostMove =>
  moved(
    post,
    {
      ...(of.postId === post.post_id ? {} : NOTHING_SEEN),
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
      undisclosed_at: null,
      look_at: post.sandbox ? after(at, LOOK_AFTER_MS) : null,
      verdict: 'accepted',
      reading_at: post.sandbox ? nextReadingAt(of.publishedAt, null) : null,
      gone_due_at: null,
    },
    true,
  );

/** Of a post of which nothing was seen yet. */
const NOTHING_SEEN = { figures: NO_FIGURES, content: null, inflated_by: 1 } satisfies Partial<Post>;

/** The creator has two more days to post again. */
export const askedToRepost = (post: Post, reason: BlockedReason, at: Date): PostMove =>
  blocked({ ...post, gone_at: reason === 'post_gone' ? (post.gone_at ?? at) : post.gone_at }, reason, at);

/** The post after a due fact that needs neither a reveal nor a reading. */
export const afterDue = (post: Post, kind: Exclude<PostDueKind, 'post' | 'reading'>, at: Date): PostMove => {
  switch (kind) {
    case 'disclosure':
      return disclosed(post, SANDBOX_DISCLOSURE, at);
    case 'post_missing':
      return blocked({ ...post, missing_at: null }, 'post_missing', at);
    case 'no_disclosure':
      return post.status === 'live'
        ? blocked({ ...post, undisclosed_at: null }, 'no_disclosure', at)
        : moved(post, { undisclosed_at: null }, false);
    case 'post_gone':
      return gone(post, at);
    case 'post_back':
      return back(post, at);
    case 'post_look':
      return lookedAt(post, post.verdict ?? 'accepted', at);
    case 'claim':
      return claimDecided(post, playedDecision(post), at);
    case 'remedy':
      return post.sandbox ? remedied(post, playedRemedy(post, at), at) : moved(post, { remedy_at: null }, true);
  }
};

/** The line cannot go on as it is: without a remedy by its creator the team decides on one two days later. */
const blocked = (post: Post, reason: BlockedReason, at: Date): PostMove =>
  moved(post, { status: 'blocked', blocked_reason: reason, remedy_at: after(at, REMEDY_AFTER_MS) }, true);

/** The post is not there any more. A completed line keeps its proof (docs/domain/orders.md#proof). */
export const gone = (post: Post, at: Date): PostMove => {
  const without = { ...post, gone_at: at, gone_due_at: null, look_at: null, undisclosed_at: null };
  if (post.status === 'completed') return moved(without, { reading_at: null }, false);
  const back_at = post.back_after_ms == null ? null : after(at, post.back_after_ms);
  return blocked({ ...without, back_at }, 'post_gone', at);
};

/** The post is there again before its remedy was decided: the line goes on, still without what it lacked. */
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
      reading_at: later(post.reading_at, at),
      disclosure_at: later(post.disclosure_at, at),
      undisclosed_at: post.disclosure === null ? after(at, DISCLOSE_WITHIN_MS) : null,
    },
    true,
  );

/** A post that was read after seven days, even while its line was blocked, has its proof. */
const goesOn = ({ figures }: Post): 'live' | 'completed' => (figures.still_up === null ? 'live' : 'completed');

/** The disclosure was seen: a line that was blocked for it goes on. */
export const disclosed = (post: Post, disclosure: string, at: Date): PostMove => {
  const shown = { disclosure, disclosure_at: null, undisclosed_at: null };
  return post.status === 'blocked' && post.blocked_reason === 'no_disclosure'
    ? moved(
        post,
        {
          ...shown,
          status: goesOn(post),
          blocked_reason: null,
          remedy_at: null,
          reading_at: later(post.reading_at, at),
        },
        true,
      )
    : moved(post, shown, false);
};

/**
 * The team looked at a post. One that it accepts has a day to show its disclosure, which another look does not extend;
 * one that it rejects frees its id, and the creator posts again: in a sandbox half a day later.
 */
export const lookedAt = (post: Post, verdict: 'accepted' | 'rejected', at: Date): PostMove => {
  if (verdict === 'accepted') {
    const asks = asksForDisclosure(post);
    const by = asks ? (post.undisclosed_at ?? after(at, DISCLOSE_WITHIN_MS)) : null;
    return moved(post, { look_at: null, undisclosed_at: by }, asks && post.undisclosed_at == null);
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

/**
 * What a sandbox's team decides: another creator while the launch window is long enough for one, else the money back
 * (docs/domain/orders.md#sandbox-creators).
 */
const playedRemedy = (post: Post, at: Date): Pick<Remedy, 'kind' | 'cause' | 'amount_cents'> => {
  const end = post.window_end == null ? null : Date.parse(`${post.window_end}T00:00:00.000Z`) + DAY_MS;
  const replaceable = end !== null && end - at.getTime() >= REPLACEABLE_UNTIL_MS;
  return { kind: replaceable ? 'replace' : 'credit', cause: post.blocked_reason ?? 'post_missing', amount_cents: null };
};

/** The remedy of a post, which proposals carries out; one per attempt and cause. */
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

/** How a sandbox's team decides a claim: for the brand, while a remedy is still to be had. */
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

/** What is decided about a claim. */
type Decision = Omit<NonNullable<Claim['decided']>, 'at'>;

/**
 * Whether a claim can still bring a remedy: its post is the line's, which goes on and has no remedy yet. Of a remedy
 * and anything else that happens to the line, the first counts (docs/domain/orders.md#remedies).
 */
export const mayRemedy = (post: Post, claim: Claim): boolean => isUnderWay(post) && claim.attempt === post.attempt;

/** The brand made a claim. */
export const claimed = (post: Post, claim: Claim): PostMove =>
  moved(post, { claims: [...(post.claims ?? []), claim] }, false);

/**
 * The open claim is decided: a makegood asks another creator, a credit returns money, and a line without its proof ends
 * with it (docs/domain/orders.md#claims).
 */
export const claimDecided = (post: Post, decision: Decision, at: Date): PostMove => {
  const { remedy, amount_cents } = decision;
  const decided = { ...post, claims: withDecision(post.claims ?? [], { ...decision, at }) };
  if (remedy === 'none') return moved(decided, {}, false);
  return remedied(decided, { kind: remedy === 'makegood' ? 'replace' : 'credit', cause: 'dispute', amount_cents }, at);
};

/** What the fake network can do to a post that is up, or gone. */
export type PostChange = 'edit' | 'delete' | 'restore' | 'hide_disclosure' | 'inflate';

/** By how much the fake network inflates counts. */
const INFLATED_BY = 20;

/** The post after the fake network changed it at `at`; null when it cannot, or nobody watches it any more. */
export const changedBy = (post: Post, change: PostChange, at: Date): PostMove | null => {
  if (!isWatched(post)) return null;
  const up = post.published_at !== null && post.gone_at === null;
  switch (change) {
    case 'edit': {
      const version = Number(/version (\d+)/.exec(post.content?.text ?? '')?.[1] ?? 1) + 1;
      return up ? moved(post, { content: sandboxContent(post.post_id ?? '', version) }, false) : null;
    }
    case 'delete':
      return up ? gone({ ...post, back_after_ms: null }, at) : null;
    case 'restore':
      return post.gone_at !== null ? restored(post, at) : null;
    case 'hide_disclosure':
      return up && post.disclosure !== null
        ? moved(
            post,
            {
              disclosure: null,
              disclosure_at: null,
              undisclosed_at: post.status === 'live' ? after(at, DISCLOSE_WITHIN_MS) : null,
            },
            false,
          )
        : null;
    case 'inflate':
      return up ? moved(post, { inflated_by: (post.inflated_by ?? 1) * INFLATED_BY }, false) : null;
  }
};

/** A completed post that is up again is only seen again; another goes on as before it went. */
const restored = (post: Post, at: Date): PostMove =>
  post.status === 'completed'
    ? moved(post, { gone_at: null, reading_at: nextReadingAt(post.published_at ?? at, at) }, false)
    : back(post, at);

/** A proved post needs no disclosure any more. */
const asksForDisclosure = ({ status, disclosure }: Post): boolean => status === 'live' && disclosure === null;

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
const later = (one: Date | null, other: Date): Date | null => (one === null || one > other ? one : other);

/** Bought views bring no engagement. */
const inflated = (metrics: Metrics, by: number): Metrics =>
  by === 1 || metrics.views === null ? metrics : { ...metrics, views: metrics.views * by };

/** The reading that a sandbox makes when one is due. */
export const sandboxReading = (post: Post, publishedAt: Date, at: Date, id: string): Reading => ({
  _id: id,
  ws: post.ws,
  line_id: post._id,
  captured_at: at,
  ...inflated(metricsAt(randomKeyOf(post), at.getTime() - publishedAt.getTime(), post), post.inflated_by ?? 1),
  source: 'sandbox',
});

/** The post with all readings since it was published; the first one at or after seven days completes the line (I61). */
export const withReadings = (
  post: Post,
  publishedAt: Date,
  readings: readonly Reading[],
  history: readonly Counted[] = [],
): PostMove => {
  const read = figuresOf(
    publishedAt,
    readings.filter(({ captured_at }) => captured_at >= publishedAt),
  );
  const expected = { views_high: post.views_high ?? null, engagement_rate: post.engagement_rate };
  const unusual = read.latest !== null && isUnusual(read.latest, history, expected);
  const figures: Figures = unusual ? { ...read, unusual } : read;
  const completes = figures.still_up !== null && post.status === 'live';
  const reading_at = post.sandbox ? nextReadingAt(publishedAt, figures.latest?.captured_at ?? null) : null;
  return moved(post, { figures, reading_at, status: completes ? 'completed' : post.status }, completes);
};
