import { namedUuid } from '@cds/service/named-uuid';
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
  missingAt,
  moved,
  type Post,
  type PostDueKind,
  type PostMove,
  type PostPlan,
  type Remedy,
  randomKeyOf,
} from './post.js';
import { figuresOf, NO_FIGURES, nextReadingAt, type Reading } from './reading.js';

// What happens to a post once it is due: it goes live, is disclosed, read, gone or missing
// (docs/domain/orders.md#proof, docs/domain/orders.md#results).

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
      disclosure: plan.disclosing === 'now' ? SANDBOX_DISCLOSURE : null,
      disclosure_at: plan.disclosing === 'late' ? after(at, DISCLOSED_LATER_MS) : null,
      reading_at: nextReadingAt(at, null),
      gone_due_at: plan.gone_after_ms === null ? null : after(at, plan.gone_after_ms),
      back_after_ms: plan.back_after_ms ?? null,
    },
    true,
  );
};

/** The post after a due fact that needs neither a reveal nor a reading. */
export const afterDue = (post: Post, kind: Exclude<PostDueKind, 'post' | 'reading'>, at: Date): PostMove => {
  switch (kind) {
    case 'disclosure':
      return disclosed(post, SANDBOX_DISCLOSURE, at);
    case 'post_missing':
      return blocked({ ...post, missing_at: null }, 'post_missing', at);
    case 'no_disclosure':
      return blocked({ ...post, undisclosed_at: null }, 'no_disclosure', at);
    case 'post_gone':
      return gone(post, at);
    case 'post_back':
      return back(post, at);
    case 'post_look':
      return lookedAt(post, post.verdict ?? 'accepted', at);
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
      status: 'live',
      blocked_reason: null,
      gone_at: null,
      back_at: null,
      back_after_ms: null,
      remedy_at: null,
      reading_at: later(post.reading_at, at),
      undisclosed_at: post.disclosure === null ? after(at, DISCLOSE_WITHIN_MS) : null,
    },
    true,
  );

/** The disclosure was seen: a line that was blocked for it goes on. */
export const disclosed = (post: Post, disclosure: string, at: Date): PostMove => {
  const shown = { disclosure, disclosure_at: null, undisclosed_at: null };
  return post.status === 'blocked' && post.blocked_reason === 'no_disclosure'
    ? moved(
        post,
        { ...shown, status: 'live', blocked_reason: null, remedy_at: null, reading_at: later(post.reading_at, at) },
        true,
      )
    : moved(post, shown, false);
};

/**
 * The team looked at a post. One that it accepts has a day to show its disclosure; one that it rejects frees its id, and
 * the creator posts again: in a sandbox half a day later.
 */
export const lookedAt = (post: Post, verdict: 'accepted' | 'rejected', at: Date): PostMove => {
  if (verdict === 'accepted')
    return moved(
      post,
      { look_at: null, undisclosed_at: post.disclosure === null ? after(at, DISCLOSE_WITHIN_MS) : null },
      post.disclosure === null,
    );
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
      figures: NO_FIGURES,
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

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
const later = (one: Date | null, other: Date): Date | null => (one === null || one > other ? one : other);

/** The reading that a sandbox makes when one is due. */
export const sandboxReading = (post: Post, publishedAt: Date, at: Date, id: string): Reading => ({
  _id: id,
  ws: post.ws,
  line_id: post._id,
  captured_at: at,
  ...metricsAt(randomKeyOf(post), at.getTime() - publishedAt.getTime(), post),
  source: 'sandbox',
});

/** The post with all readings since it was published; the first one at or after seven days completes the line (I61). */
export const withReadings = (post: Post, publishedAt: Date, readings: readonly Reading[]): PostMove => {
  const figures = figuresOf(
    publishedAt,
    readings.filter(({ captured_at }) => captured_at >= publishedAt),
  );
  const completes = figures.still_up !== null && post.status === 'live';
  const reading_at = post.sandbox ? nextReadingAt(publishedAt, figures.latest?.captured_at ?? null) : null;
  return moved(post, { figures, reading_at, status: completes ? 'completed' : post.status }, completes);
};
