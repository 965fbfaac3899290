import { randomUUID } from 'node:crypto';
import { conflict, type Input, notFound, unavailable } from '@cds/contracts';
import { type Client, type Ctx, change, type WriteHandler } from '@cds/service';
import { DAY_MS, PLAYED_ENTRIES, POSTS_AGAIN_AFTER_MS } from '../domain/constants.js';
import { changedBy, sandboxReading } from '../domain/fake-network.js';
import { withEntries } from '../domain/integrity.js';
import { sandboxPostId } from '../domain/persona.js';
import { asOne, awaitsPost, type Post, type PostMove } from '../domain/post.js';
import { goLive, withReadings } from '../domain/post-moves.js';
import { liveAtFor, replan } from '../domain/post-planning.js';
import type { Reading } from '../domain/reading.js';
import { presentIntegrity } from '../present/integrity.js';
import { presentSandboxPost } from '../present/ops-post.js';
import { movedEvents } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { Integrity, PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/sandbox.md#sandbox. */
export const sandboxLinePost: WriteHandler<
  'sandbox_line_post',
  { lines: Lines; posts: Posts; writer: PostWriter; calls: Client<'identity_reveal'> }
> = async (ctx, input, { lines, posts, writer, calls }) => {
  const before = await waitingPost(ctx, input.id, lines, posts);
  const liveAt = liveAtFor(before, input.when, ctx.now);
  const profileUrl = liveAt !== null && liveAt <= ctx.now ? await profileOf(ctx, before, calls) : null;

  const move = play(before, input, liveAt, profileUrl);

  return change(presentSandboxPost(move.post), {
    save: (tx) => writer.save(tx, before, move.post, ctx.now),
    events: movedEvents(before, move, ctx.now),
  });
};

const waitingPost = async (ctx: Ctx, id: string, lines: Lines, posts: Posts): Promise<Post> => {
  const ws = ctx.principal.workspace;
  const line = await lines.byId(ws, id);
  if (line === null || !line.sandbox) throw notFound('line');
  const post = await posts.byLine(ws, id);
  if (post === null || !awaitsPost(post)) {
    throw conflict('bad_state', 'This line is not booked, or its post is already live. Read the line for its status.', {
      status: post?.status ?? 'planned',
    });
  }
  return post;
};

const play = (
  post: Post,
  input: Input<'sandbox_line_post'>,
  liveAt: Date | null,
  profileUrl: string | null,
): PostMove => {
  const plan = {
    live_at: liveAt,
    disclosing: input.disclosure,
    gone_after_ms: input.gone_after_days === undefined ? null : input.gone_after_days * DAY_MS,
    back_after_ms: input.repost === true ? POSTS_AGAIN_AFTER_MS : null,
    verdict: input.verdict ?? 'accepted',
  };
  if (liveAt === null || profileUrl === null) return replan(post, plan);
  return goLive({ ...post, plan }, liveAt, { postId: sandboxPostId(liveAt, post._id, post.attempt), profileUrl });
};

const profileOf = async (ctx: Ctx, post: Post, calls: Client<'identity_reveal'>): Promise<string> => {
  const { creators } = await calls.identity_reveal(ctx, { order_id: post.order_id, creator_ids: [post.creator_id] });
  const url = creators.find((one) => one.creator_id === post.creator_id)?.url;
  if (url === undefined) throw unavailable('The payment is still propagating. Retry in a moment.');
  return url;
};

type Deps = { lines: Lines; posts: Posts; writer: PostWriter; integrity: Integrity; readings: Readings };

/** Raises not_found, conflict (bad_state). Source: docs/domain/sandbox.md#sandbox, docs/domain/orders.md#integrity. */
export const sandboxLinePostChange: WriteHandler<'sandbox_line_post_change', Deps> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  const line = await deps.lines.byId(ws, input.id);
  if (line === null || !line.sandbox) throw notFound('line');
  const before = await deps.posts.byLine(ws, input.id);
  const changed = before === null ? null : changedBy(before, input.change, ctx.now);
  if (before === null || changed === null)
    throw conflict('bad_state', `The post of this line cannot ${WORDS[input.change]}. Read its evidence first.`, {
      status: before?.status ?? 'planned',
    });

  const { move, reading } =
    input.change === 'inflate'
      ? readAt(before, changed, ctx.now, await deps.readings.ofLine(ws, input.id))
      : { move: changed, reading: null };

  const entries = await deps.integrity.ofLine(ws, input.id);
  if (entries.length >= PLAYED_ENTRIES)
    throw conflict(
      'bad_state',
      `This post has ${entries.length} entries, the most that a sandbox plays. Use another line.`,
    );
  const added = withEntries(before, move.post, ctx.now).entries;
  return change(presentIntegrity([...entries, ...added]), {
    save: async (tx) => {
      await deps.writer.save(tx, before, move.post, ctx.now);
      if (reading !== null) await deps.readings.add(tx, reading);
    },
    events: movedEvents(before, move, ctx.now),
  });
};

const readAt = (
  before: Post,
  { post, emits }: PostMove,
  at: Date,
  earlier: readonly Reading[],
): { move: PostMove; reading: Reading } => {
  const published = post.published_at ?? at;
  const reading = sandboxReading(post, published, at, randomUUID());
  const read = withReadings(post, published, [...earlier, reading]);
  return { move: asOne(before, read.post, emits || read.emits), reading };
};

const WORDS = {
  edit: 'be edited: it is not up, or its line has ended',
  delete: 'be deleted: it is not up, or its line has ended',
  restore: 'be restored: it is not gone, or has its remedy',
  hide_disclosure: 'hide its disclosure: it is not up, shows none, or its line has ended',
  inflate: 'be inflated: it is not up, was inflated three times, or its line has ended',
} as const;
