import type { Output } from '@cds/contracts';
import { dueFactsOf, type Post } from '../domain/post.js';

export const presentSandboxPost = (post: Post): Output<'sandbox_line_post'> => ({
  id: post._id,
  campaign_id: post.campaign_id,
  scheduled_date: post.scheduled_date,
  status: post.status,
  proof_url: post.proof_url,
  published_at: post.published_at?.toISOString() ?? null,
  disclosure: post.disclosure,
  pending: dueFactsOf(post).map(({ kind, at }) => ({ kind, due_at: at.toISOString() })),
});
