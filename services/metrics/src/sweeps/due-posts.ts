import { randomUUID } from 'node:crypto';
import {
  type Client,
  Deadline,
  type DueSource,
  inTx,
  type NetworkTime,
  type Outbox,
  type Pauses,
  type RowOutcome,
  type RowRunner,
  type Store,
  systemContext,
} from '@cds/service';
import { sandboxReading } from '../domain/fake-network.js';
import { sandboxPostId } from '../domain/persona.js';
import { dueFactsOf, type Post, type PostMove } from '../domain/post.js';
import { afterDue, goLive, withReadings } from '../domain/post-moves.js';
import type { Reading } from '../domain/reading.js';
import { taskEvents, tasksOf } from '../domain/tasks.js';
import { movedEvents } from '../present/post-changed.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';

const LIVE_AT_ONCE = 8;
const ONE_FACT_MS = 10_000;

type Decided = { move: PostMove; reading: Reading | null; at: Date };

/** Each is handled at its own business time (docs/domain/orders.md#clock-jobs). */
export const duePosts = ({
  store,
  posts,
  writer,
  readings,
  outbox,
  calls,
  rows,
}: {
  store: Store;
  posts: Posts;
  writer: PostWriter;
  readings: Readings;
  outbox: Outbox;
  calls: Client<'identity_reveal'>;
  rows: RowRunner;
}): DueSource => {
  const decide = async (post: Post, until: Date, network: NetworkTime): Promise<Decided | null> => {
    const due = dueFactsOf(post)[0];
    if (due === undefined || due.at > until) return null;
    if (due.kind === 'post') {
      const profileUrl = await profileOf(post, due.at, network);
      if (profileUrl === null) return null;
      const postId = sandboxPostId(due.at, post._id, post.attempt);
      return { move: goLive(post, due.at, { postId, profileUrl }), reading: null, at: due.at };
    }
    if (due.kind === 'reading') {
      if (post.published_at === null) return null;
      const earlier = await readings.ofLine(post.ws, post._id);
      const reading = sandboxReading(post, post.published_at, due.at, randomUUID());
      return { move: withReadings(post, post.published_at, [...earlier, reading]), reading, at: due.at };
    }
    return { move: afterDue(post, due.kind, due.at), reading: null, at: due.at };
  };

  const profileOf = async (post: Post, at: Date, network: NetworkTime): Promise<string | null> => {
    const ctx = systemContext({ workspace: post.ws, sandbox: post.sandbox, now: at, networkNow: network });
    const { creators } = await calls.identity_reveal(ctx, { order_id: post.order_id, creator_ids: [post.creator_id] });
    return creators.find((one) => one.creator_id === post.creator_id)?.url ?? null;
  };

  const handleOne = async (post: Post, until: Date, network: NetworkTime): Promise<RowOutcome> => {
    const decided = await decide(post, until, network);
    if (decided === null) return 0;
    const { move, reading, at } = decided;
    const tasks = tasksOf(post, move.post, at);

    await inTx(store, Deadline.in(ONE_FACT_MS), async (tx) => {
      await writer.save(tx, post, move.post, at);
      if (reading !== null) await readings.add(tx, reading);
      await outbox.add(tx, [...movedEvents(post, move, at), ...taskEvents(tasks)], network);
    });
    return 1;
  };

  const handleAll = (
    find: (without: readonly string[]) => Promise<Post[]>,
    until: Date,
    network: NetworkTime,
    pauses: Pauses,
    atOnce = 1,
  ): Promise<number> =>
    rows.run(
      {
        name: 'due posts',
        find,
        atOnce,
        idOf: (post) => post._id,
        handle: (post) => handleOne(post, until, network),
        repeats: true,
      },
      pauses,
    );

  return {
    sandboxesDue: (horizon) => posts.sandboxesDue(horizon),
    handleSandbox: (ws, until, network, pauses) =>
      handleAll((without) => posts.dueInSandbox(ws, until, without), until, network, pauses),
    handleLive: (network) =>
      handleAll((without) => posts.dueLive(network, without), network, network, 'kept', LIVE_AT_ONCE),
  };
};
