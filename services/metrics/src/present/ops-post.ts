import type { OpsPost, Output } from '@cds/contracts';
import { dueFactsOf, type Post } from '../domain/post.js';

export const presentOpsPost = (post: Post): OpsPost => ({
  line_id: post._id,
  workspace: post.ws,
  sandbox: post.sandbox,
  order_id: post.order_id,
  campaign_id: post.campaign_id,
  creator_id: post.creator_id,
  attempt: post.attempt,
  scheduled_date: post.scheduled_date,
  status: post.status,
  blocked_reason: post.blocked_reason,
  proof_url: post.proof_url,
  published_at: post.published_at?.toISOString() ?? null,
  disclosure: post.disclosure,
  gone_at: post.gone_at?.toISOString() ?? null,
  remedy_by: post.remedy_at?.toISOString() ?? null,
  remedy: post.remedy == null ? null : { ...post.remedy, at: post.remedy.at.toISOString() },
  readings: post.figures.snapshots,
});

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
