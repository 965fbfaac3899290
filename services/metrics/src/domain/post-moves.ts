import { DISCLOSED_LATER_MS, SANDBOX_DISCLOSURE } from './constants.js';
import { metricsAt } from './persona.js';
import { moved, type Post, type PostMove, randomKeyOf } from './post.js';
import { figuresOf, nextReadingAt, type Reading } from './reading.js';

// What happens to a post once it is due: it goes live, is disclosed, read, gone or missing
// (docs/domain/orders.md#proof, docs/domain/orders.md#results).

/** A sandbox post goes live at `at` under the creator's profile; its plan becomes due facts. */
export const goLive = (
  post: Post,
  at: Date,
  { postId, profileUrl }: { postId: string; profileUrl: string },
): PostMove => {
  const plan = post.plan ?? { disclosing: 'now' as const, gone_after_ms: null };
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
      disclosure: plan.disclosing === 'now' ? SANDBOX_DISCLOSURE : null,
      disclosure_at: plan.disclosing === 'late' ? new Date(at.getTime() + DISCLOSED_LATER_MS) : null,
      reading_at: nextReadingAt(at, null),
      gone_due_at: plan.gone_after_ms === null ? null : new Date(at.getTime() + plan.gone_after_ms),
    },
    true,
  );
};

/** The post after a due fact that needs neither a reveal nor a reading. */
export const afterDue = (post: Post, kind: 'post_gone' | 'disclosure' | 'post_missing', at: Date): PostMove => {
  switch (kind) {
    case 'disclosure':
      return moved(post, { disclosure: SANDBOX_DISCLOSURE, disclosure_at: null }, false);
    case 'post_missing':
      return moved(post, { status: 'blocked', blocked_reason: 'post_missing', missing_at: null }, true);
    case 'post_gone':
      // A completed line keeps its proof (docs/domain/orders.md#proof).
      return post.status === 'completed'
        ? moved(post, { gone_at: at, reading_at: null }, false)
        : moved(post, { gone_at: at, reading_at: null, status: 'blocked', blocked_reason: 'post_gone' }, true);
  }
};

/** The reading that a sandbox makes when one is due. */
export const sandboxReading = (post: Post, publishedAt: Date, at: Date, id: string): Reading => ({
  _id: id,
  ws: post.ws,
  line_id: post._id,
  captured_at: at,
  ...metricsAt(randomKeyOf(post), at.getTime() - publishedAt.getTime(), post),
  source: 'sandbox',
});

/** The post with all its readings; the first one at or after seven days completes the line (I61). */
export const withReadings = (post: Post, publishedAt: Date, readings: readonly Reading[]): PostMove => {
  const figures = figuresOf(publishedAt, readings);
  const completes = figures.still_up !== null && post.status === 'live';
  const reading_at = post.sandbox ? nextReadingAt(publishedAt, figures.latest?.captured_at ?? null) : null;
  return moved(post, { figures, reading_at, status: completes ? 'completed' : post.status }, completes);
};
