import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentDispute } from '../present/dispute.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';

/** Newest first. Raises not_found. Source: docs/domain/orders.md#claims. */
export const lineDisputes: ReadHandler<'line_disputes', { lines: Lines; posts: Posts }> = async (ctx, { id }, deps) => {
  const ws = ctx.principal.workspace;
  const [line, post] = await Promise.all([deps.lines.byId(ws, id), deps.posts.byLine(ws, id)]);
  if (line === null) throw notFound('line');
  return { items: (post?.claims ?? []).map((claim) => presentDispute(id, claim)).reverse() };
};
