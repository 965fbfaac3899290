import { randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { VIEWS_FELL_SHARE } from '../domain/constants.js';
import { figuresSent } from '../domain/own-analytics.js';
import type { Post } from '../domain/post.js';
import { withReadings } from '../domain/post-moves.js';
import type { Reading } from '../domain/reading.js';
import { type PostTask, taskOf } from '../domain/tasks.js';
import { presentCreatorPost } from '../present/creator-post.js';
import { postChanged } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';
import { ownPost } from './creator-post.js';

type Deps = { posts: Posts; readings: Readings; writer: PostWriter };

/**
 * Adds the creator's own reading of the post. The team looks at a post whose proof rests on one. Raises conflict
 * (not_booked), unprocessable (captured_at, csv, figures). Source: docs/domain/access.md#creator-links,
 * docs/domain/orders.md#results.
 */
export const creatorAnalytics: WriteHandler<'creator_analytics', Deps> = async (ctx, input, deps) => {
  const { now } = ctx;
  const before = await ownPost(ctx, 'analytics', deps.posts);
  const { post_id: postId, published_at: publishedAt } = before;
  if (postId === null || publishedAt === null) throw conflict('not_booked', 'Submit your post first.');
  const capturedAt = input.captured_at === undefined ? now : new Date(input.captured_at);
  if (capturedAt < publishedAt || capturedAt > now)
    throw unprocessable([
      {
        field: 'captured_at',
        message: `must be between ${publishedAt.toISOString()}, when the post was made, and now, ${now.toISOString()}`,
      },
    ]);
  const sent = figuresSent(input, postId);
  if (Array.isArray(sent)) throw unprocessable(sent);
  const [earlier, history] = await Promise.all([
    deps.readings.ofLine(before.ws, before._id),
    deps.posts.countsOf(before),
  ]);
  if (earlier.some((one) => one.source === 'creator' && one.captured_at.getTime() === capturedAt.getTime()))
    throw unprocessable([{ field: 'captured_at', message: 'must be another moment than that of a reading of yours' }]);

  const reading: Reading = {
    _id: randomUUID(),
    ws: before.ws,
    line_id: before._id,
    captured_at: capturedAt,
    ...sent,
    source: 'creator',
  };
  const readings = [...earlier, reading];
  const move = withReadings(before, publishedAt, readings, history);

  return change(presentCreatorPost(move.post, readings), {
    save: async (tx) => {
      await deps.writer.save(tx, before, move.post, now);
      await deps.readings.add(tx, reading);
    },
    events: [
      ...(move.emits ? [{ name: 'post.changed' as const, payload: postChanged(move.post) }] : []),
      ...tasksAbout(before, move.post, reading, now).map((payload) => ({
        name: 'metrics_task.opened' as const,
        payload,
      })),
    ],
    audit: [
      {
        ws: before.ws,
        actor: actorOf(ctx),
        action: 'post.reading',
        object: before._id,
        payload: {
          status: move.post.status,
          attempt: before.attempt,
          captured_at: capturedAt.toISOString(),
          views: reading.views,
        },
      },
    ],
  });
};

const tasksAbout = (before: Post, after: Post, { views, captured_at }: Reading, at: Date): PostTask[] => {
  if (before.sandbox) return [];
  const last = before.figures.latest;
  const fell =
    views !== null &&
    last?.views != null &&
    last.captured_at < captured_at &&
    views < last.views * (1 - VIEWS_FELL_SHARE);
  return [
    ...(fell ? [taskOf('views_fell', before, at)] : []),
    ...(after.status !== before.status ? [taskOf('post_to_look_at', after, at)] : []),
  ];
};
