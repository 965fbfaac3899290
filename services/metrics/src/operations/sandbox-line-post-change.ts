import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { PLAYED_ENTRIES } from '../domain/constants.js';
import { changedBy, sandboxReading } from '../domain/fake-network.js';
import { withEntries } from '../domain/integrity.js';
import { asOne, type Post, type PostMove } from '../domain/post.js';
import { withReadings } from '../domain/post-moves.js';
import type { Reading } from '../domain/reading.js';
import { presentIntegrity } from '../present/integrity.js';
import { movedEvents } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { Integrity, PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';
import type { Readings } from '../store/readings.js';

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
