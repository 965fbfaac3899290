import { randomUUID } from 'node:crypto';
import { type AppError, conflict, unprocessable } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type ReadingRefusal, withAdded } from '../domain/added-reading.js';
import { figuresSent } from '../domain/own-analytics.js';
import type { Post } from '../domain/post.js';
import { readingOf } from '../domain/reading.js';
import { type PostTask, taskEvents, taskOf } from '../domain/tasks.js';
import { presentCreatorPost } from '../present/creator-post.js';
import { movedEvents } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';
import { ownPost } from './creator-post.js';
import { readingFacts } from './operated-post.js';

type Deps = { posts: Posts; readings: Readings; writer: PostWriter };

/** Raises conflict (not_booked), unprocessable. Source: docs/domain/orders.md#results. */
export const creatorAnalytics: WriteHandler<'creator_analytics', Deps> = async (ctx, input, deps) => {
  const { now } = ctx;
  const before = await ownPost(ctx, 'analytics', deps.posts);
  const { post_id: postId } = before;
  if (postId === null) throw conflict('not_booked', 'Submit your post first.');
  const capturedAt = input.captured_at === undefined ? now : new Date(input.captured_at);
  const sent = figuresSent(input, postId);
  if (Array.isArray(sent)) throw unprocessable(sent);
  const reading = readingOf(before, capturedAt, sent, 'creator', randomUUID());
  const facts = await readingFacts(before, now, deps);
  const added = withAdded(before, reading, facts);
  if ('about' in added) throw refusedReading(added);
  const { move, fell } = added;

  return change(presentCreatorPost(move.post, [...facts.earlier, reading]), {
    save: async (tx) => {
      await deps.writer.save(tx, before, move.post, now);
      await deps.readings.add(tx, reading);
    },
    events: [...movedEvents(before, move, now), ...taskEvents(tasksAbout(before, move.post, fell, now))],
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

const refusedReading = ({ about, message }: ReadingRefusal): AppError =>
  about === 'state'
    ? conflict('not_booked', message)
    : unprocessable([{ field: 'captured_at', message: about === 'known' ? OWN_READING_KNOWN : message }]);

const OWN_READING_KNOWN = 'must be another moment than that of a reading of yours';

const tasksAbout = (before: Post, after: Post, fell: boolean, at: Date): PostTask[] =>
  before.sandbox
    ? []
    : [
        ...(fell ? [taskOf('views_fell', before, at)] : []),
        ...(after.status !== before.status ? [taskOf('post_to_look_at', after, at)] : []),
      ];
