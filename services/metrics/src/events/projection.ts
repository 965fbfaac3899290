import type { Outbox, Tx } from '@cds/service';
import type { Line } from '../domain/line.js';
import { followLine } from '../domain/post-planning.js';
import { postChanged } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';

export type Projection = { lines: Lines; posts: Posts; writer: PostWriter; outbox: Outbox };

/**
 * Saves a changed line and updates its post, in one transaction; order and line events both end here. `happened` is
 * when the line changed, in the workspace's time.
 */
export const saveLine = async (
  tx: Tx,
  { lines, posts, writer, outbox }: Projection,
  before: Line | null,
  after: Line,
  at: Date,
  happened: Date = at,
): Promise<void> => {
  await lines.save(tx, before, after);
  const post = await posts.findInTx(tx, after.ws, after._id);
  const move = followLine(post, after);
  if (move === null) return;
  await writer.save(tx, post, move.post, happened);
  if (move.emits) await outbox.add(tx, [{ name: 'post.changed', payload: postChanged(move.post) }], at);
};
