import { type CreatorPost, conflict, unprocessable } from '@cds/contracts';
import { actorOf, type Ctx, change, creatorLinkOf, type WriteHandler } from '@cds/service';
import { ownDisclosure, postActsOf } from '../domain/own-post.js';
import type { Post } from '../domain/post.js';
import { type PostTask, taskEvents, taskOf, tasksOf } from '../domain/tasks.js';
import { presentCreatorPost } from '../present/creator-post.js';
import { movedEvents } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
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
