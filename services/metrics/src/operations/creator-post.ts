import { randomUUID } from 'node:crypto';
import { type AppError, type CreatorPost, conflict, unprocessable } from '@cds/contracts';
import { actorOf, type Ctx, change, creatorLinkOf, type ReadHandler, type WriteHandler } from '@cds/service';
import { type ReadingRefusal, withAdded } from '../domain/added-reading.js';
import { figuresSent, ownDisclosure, postActsOf } from '../domain/own-post.js';
import type { Post } from '../domain/post.js';
import { readingOf } from '../domain/reading.js';
import { type PostTask, taskEvents, taskOf, tasksOf } from '../domain/tasks.js';
import { presentCreatorPost } from '../present/creator-post.js';
import { movedEvents } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';
import { readingFacts } from './operated-post.js';
import { type SubmitDeps, submission } from './submit-post.js';

/** Raises unauthorized without a link, and conflict (not_booked). */
export const ownPost = async (ctx: Ctx, act: CreatorPost['may'][number], posts: Posts): Promise<Post> => {
  const creator = creatorLinkOf(ctx);
  const post = await posts.byLine(ctx.principal.workspace, creator.line);
  if (post === null || post.attempt !== creator.attempt || !post.booked)
    throw conflict('not_booked', 'No post of yours is booked with this link. Read the proposal for its state.');
  if (!postActsOf(post).includes(act)) throw conflict('not_booked', MESSAGES[act], { status: post.status });
  return post;
};

const MESSAGES = {
  post: 'Your post is here already, or the place has ended. Read the proposal for its state.',
  analytics: 'Only a post that is up takes figures. Submit your post first.',
} as const;

/** Raises conflict (not_booked), unprocessable (url, disclosure). Source: docs/domain/pages.md#creator-links. */
export const creatorPost: WriteHandler<'creator_post', SubmitDeps & { writer: PostWriter }> = async (
  ctx,
  { url, disclosure: said },
  deps,
) => {
  const { now } = ctx;
  const before = await ownPost(ctx, 'post', deps.posts);
  const disclosure = said === undefined ? null : ownDisclosure(said);
  if (said !== undefined && disclosure === null)
    throw unprocessable([
      { field: 'disclosure', message: 'must be in the post: #ad, #sponsored or "Paid partnership with …"' },
    ]);

  const move = await submission(ctx, before, { url, disclosure, now, forced: false }, deps);

  return change(presentCreatorPost(move.post, []), {
    save: (tx) => deps.writer.save(tx, before, move.post, now),
    events: [...movedEvents(before, move, now), ...taskEvents(tasksAbout(before, move.post, now))],
    audit: [
      {
        ws: before.ws,
        actor: actorOf(ctx),
        action: 'post.submit',
        object: before._id,
        payload: { status: move.post.status, attempt: before.attempt, post_id: move.post.post_id },
      },
    ],
  });
};

/** The team looks at whatever a creator submits, also at the same post once more. */
const tasksAbout = (before: Post, after: Post, at: Date): PostTask[] => {
  const tasks = tasksOf(before, after, at);
  const asked = after.sandbox || tasks.some(({ kind }) => kind === 'post_to_look_at');
  return asked ? tasks : [...tasks, taskOf('post_to_look_at', after, at)];
};

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
    events: [...movedEvents(before, move, now), ...taskEvents(tasksOfReading(before, move.post, fell, now))],
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

const tasksOfReading = (before: Post, after: Post, fell: boolean, at: Date): PostTask[] =>
  before.sandbox
    ? []
    : [
        ...(fell ? [taskOf('views_fell', before, at)] : []),
        ...(after.status !== before.status ? [taskOf('post_to_look_at', after, at)] : []),
      ];
