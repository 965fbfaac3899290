import type { ReadHandler } from '@cds/service';
import { presentCreatorPost } from '../present/creator-post.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';

/** Null for another attempt, and while metrics knows of no booking. Source: docs/domain/pages.md#creator-links. */
export const creatorPostRead: ReadHandler<'creator_post_read', { posts: Posts; readings: Readings }> = async (
  ctx,
  { line_id, attempt },
  { posts, readings },
) => {
  const { workspace } = ctx.principal;
  const [post, read] = await Promise.all([posts.byLine(workspace, line_id), readings.ofLine(workspace, line_id)]);
  return { post: post === null || post.attempt !== attempt || !post.booked ? null : presentCreatorPost(post, read) };
};
