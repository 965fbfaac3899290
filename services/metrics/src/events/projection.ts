import type { Outbox, Tx } from '@cds/service';
import type { Line } from '../domain/line.js';
import { followLine } from '../domain/post.js';
import { postChanged } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';

export type Projection = { lines: Lines; posts: Posts; outbox: Outbox };

/** Keeps a line that changed and lets its post follow, in one transaction; both kinds of facts about lines end here. */
export const keepLine = async (
  tx: Tx,
  { lines, posts, outbox }: Projection,
  before: Line | null,
  after: Line,
  at: Date,
): Promise<void> => {
  await lines.save(tx, before, after);
  const post = await posts.within(tx, after.ws, after._id);
  const move = followLine(post, after);
  if (move === null) return;
  await posts.save(tx, post, move.post);
  if (move.told) await outbox.add(tx, [{ name: 'post.changed', payload: postChanged(move.post) }], at);
};
