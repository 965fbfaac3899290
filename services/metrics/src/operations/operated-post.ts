import { notFound, type OpsPost } from '@cds/contracts';
import { actorOf, type Change, type Clocks, type Ctx, change, type Tx } from '@cds/service';
import type { ReadingFacts } from '../domain/added-reading.js';
import type { Post, PostMove } from '../domain/post.js';
import { type PostTask, taskEvents, tasksOf } from '../domain/tasks.js';
import { presentOpsPost } from '../present/ops-post.js';
import { movedEvents } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';

export type OperatedPostDeps = { posts: Posts; writer: PostWriter; clocks: Pick<Clocks, 'now' | 'read'> };

/** Raises not_found. */
export const operatedPost = async (
  lineId: string,
  { posts, clocks }: OperatedPostDeps,
): Promise<{ before: Post; now: Date }> => {
  const before = await posts.ofAny(lineId);
  if (before === null) throw notFound('line');
  return { before, now: await clocks.now(before.ws) };
};

export const readingFacts = async (
  post: Post,
  now: Date,
  { posts, readings }: { posts: Posts; readings: Readings },
): Promise<ReadingFacts> => {
  const [earlier, history] = await Promise.all([readings.ofLine(post.ws, post._id), posts.countsOf(post)]);
  return { now, earlier, history };
};

export const operatedChange = (
  ctx: Ctx,
  of: {
    before: Post;
    move: PostMove;
    now: Date;
    action: string;
    reason: string;
    payload?: Record<string, unknown>;
    also?: (tx: Tx) => Promise<void>;
    tasks?: readonly PostTask[];
  },
  { writer }: OperatedPostDeps,
): Change<OpsPost> => {
  const { before, move, now } = of;
  return change(presentOpsPost(move.post), {
    save: async (tx) => {
      await writer.save(tx, before, move.post, now);
      await of.also?.(tx);
    },
    events: [
      ...movedEvents(before, move, now),
      ...taskEvents([...tasksOf(before, move.post, now), ...(of.tasks ?? [])]),
    ],
    audit: [
      {
        ws: before.ws,
        actor: actorOf(ctx),
        action: of.action,
        object: before._id,
        reason: of.reason,
        payload: { status: move.post.status, attempt: before.attempt, ...of.payload },
      },
    ],
  });
};
