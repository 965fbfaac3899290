import type { EventPayload } from '@cds/contracts';
import { dueFactsOf, type Post } from '../domain/post.js';

/** A post as other services see it: never its link (docs/reliability.md#handles). */
export const postChanged = (post: Post): EventPayload<'post.changed'> => ({
  aggregate: post._id,
  version: post.version,
  workspace: post.ws,
  line_id: post._id,
  order_id: post.order_id,
  plan_id: post.plan_id,
  campaign_id: post.campaign_id,
  status: post.status,
  blocked_reason: post.blocked_reason,
  published_at: post.published_at?.toISOString() ?? null,
  still_up_at: post.figures.still_up?.checked_at.toISOString() ?? null,
  attempt: post.attempt,
  remedy: post.remedy == null ? null : { ...post.remedy, at: post.remedy.at.toISOString() },
  next: nextOf(post),
});

/** What is due next on a post. */
const nextOf = (post: Post): EventPayload<'post.changed'>['next'] => {
  const [next] = dueFactsOf(post);
  return next === undefined ? null : { kind: next.kind, at: next.at.toISOString() };
};
