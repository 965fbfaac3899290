import type { Outbox, Tx } from '@cds/service';
import type { Line } from '../domain/line.js';
import type { Post } from '../domain/post.js';
import { followLine } from '../domain/post-planning.js';
import { postChanged } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';

export type Projection = { lines: Lines; posts: Posts; writer: PostWriter; outbox: Outbox };

/** A line before and after one event. `happened` is when it changed, in the workspace's time. */
export type LineChange = { before: Line | null; after: Line; happened: Date };

/** In the order of the changes; order and line events both end here. */
export const saveLines = async (
  tx: Tx,
  { lines, posts, writer, outbox }: Projection,
  changes: readonly LineChange[],
  at: Date,
): Promise<void> => {
  if (changes.length === 0) return;
  await lines.save(tx, changes);
  const known = await posts.ofLinesInTx(
    tx,
    changes.map(({ after }) => after),
  );
  const emitted: Post[] = [];
  for (const { after, happened } of changes) {
    const post = known.get(after._id) ?? null;
    const move = followLine(post, after);
    if (move === null) continue;
    const saved = await writer.saveForMore(tx, post, move.post, happened);
    known.set(after._id, saved);
    if (move.emits) emitted.push(saved);
  }
  await outbox.add(
    tx,
    emitted.map((post) => ({ name: 'post.changed', payload: postChanged(post) })),
    at,
  );
};
