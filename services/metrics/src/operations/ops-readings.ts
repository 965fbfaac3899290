import { randomUUID } from 'node:crypto';
import { conflict, type Output, unprocessable } from '@cds/contracts';
import { actorOf, type Ctx, change, type WriteHandler } from '@cds/service';
import { withAdded } from '../domain/added-reading.js';
import { asOne, type Post } from '../domain/post.js';
import { metricsOf, type Reading, readingOf } from '../domain/reading.js';
import { csvRows, type RawRow, type ReadingRow, readRow } from '../domain/reading-rows.js';
import { taskEvents, taskOf } from '../domain/tasks.js';
import type { Counted } from '../domain/unusual.js';
import { movedEvents } from '../present/post-changed.js';
import type { Readings } from '../store/readings.js';
import { type OperatedPostDeps, operatedChange, operatedPost, readingFacts } from './operated-post.js';

type Deps = OperatedPostDeps & { readings: Readings };

/** Raises not_found, unprocessable (captured_at), conflict (bad_state). Source: docs/domain/orders.md#results. */
export const opsLineReadings: WriteHandler<'ops_line_readings', Deps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const metrics = metricsOf((name) => input[name] ?? null);
  const reading = readingOf(before, new Date(input.captured_at), metrics, 'operator', randomUUID());

  const added = withAdded(before, reading, await readingFacts(before, now, deps));
  if ('about' in added) {
    if (added.about === 'captured_at') throw unprocessable([{ field: 'captured_at', message: added.message }]);
    throw conflict('bad_state', added.message, { status: before.status, captured_at: input.captured_at });
  }

  return operatedChange(
    ctx,
    {
      before,
      move: added.move,
      now,
      action: 'post.reading',
      reason: input.reason,
      payload: { captured_at: input.captured_at, views: reading.views },
      also: (tx) => deps.readings.add(tx, reading),
      tasks: added.fell && !before.sandbox ? [taskOf('views_fell', before, now)] : [],
    },
    deps,
  );
};

type Answer = Output<'ops_readings_import'>;
type Row = Answer['rows'][number];

const ROWS_MAX = 200;

type Read = {
  before: Post;
  now: Date;
  earlier: readonly Reading[];
  history: readonly Counted[];
  after: Post;
  emits: boolean;
  added: readonly Reading[];
  fell: boolean;
};

/** A refused row stops no other. Raises unprocessable (rows, csv). Source: docs/domain/operators.md#operators. */
export const opsReadingsImport: WriteHandler<'ops_readings_import', Deps> = async (ctx, input, deps) => {
  const rows = rawRows(input).map(readRow);
  const reads = await readsOf(rows, deps);

  const answers = rows.map((row, at) => ({ row: at + 1, ...take(row, reads) }));

  const changed = [...new Set(reads.values())].filter(({ added }) => added.length > 0);
  return change(answerOf(answers), {
    save: async (tx) => {
      for (const { before, after, now, added } of changed) {
        await deps.writer.save(tx, before, after, now);
        await deps.readings.add(tx, ...added);
      }
    },
    events: changed.flatMap(({ before, after, now, emits, fell }) => [
      ...movedEvents(before, { post: after, emits }, now),
      ...taskEvents(fell && !before.sandbox ? [taskOf('views_fell', before, now)] : []),
    ]),
    audit: changed.map((read) => auditOf(ctx, read, input.reason)),
  });
};

const rawRows = ({ rows, csv }: { rows?: RawRow[] | undefined; csv?: string | undefined }): RawRow[] => {
  if ((rows === undefined) === (csv === undefined))
    throw unprocessable([{ field: 'rows', message: 'is required unless csv is sent, and goes only without it' }]);
  const read = rows ?? csvRows(csv ?? '');
  if (typeof read === 'string') throw unprocessable([{ field: 'csv', message: read }]);
  if (read.length === 0 || read.length > ROWS_MAX)
    throw unprocessable([{ field: 'csv', message: `must be CSV text with a head and 1 to ${ROWS_MAX} rows` }]);
  return read;
};

const readsOf = async (
  rows: readonly (ReadingRow | string)[],
  { posts, readings, clocks }: Deps,
): Promise<ReadonlyMap<string, Read>> => {
  const named = rows.flatMap((row) => (typeof row === 'string' ? [] : [row.of]));
  const found = await posts.among(
    named.flatMap((of) => ('lineId' in of ? [of.lineId] : [])),
    named.flatMap((of) => ('postId' in of ? [of.postId] : [])),
  );
  const time = await clocks.read(found.map(({ ws }) => ws));
  const reads = await Promise.all(
    found.map(async (before): Promise<Read> => {
      const facts = await readingFacts(before, time.of(before.ws), { posts, readings });
      return { before, ...facts, after: before, emits: false, added: [], fell: false };
    }),
  );
  return new Map(
    reads.flatMap((read): [string, Read][] => [
      [read.before._id, read],
      ...(read.before.post_id === null ? [] : [[read.before.post_id, read] satisfies [string, Read]]),
    ]),
  );
};

const take = (row: ReadingRow | string, reads: ReadonlyMap<string, Read>): Omit<Row, 'row'> => {
  if (typeof row === 'string') return { line_id: null, outcome: 'refused', message: row };
  const read = reads.get('lineId' in row.of ? row.of.lineId : row.of.postId);
  if (read === undefined) return { line_id: null, outcome: 'refused', message: 'No booked line has this post.' };
  const { before, now, history } = read;
  const reading = readingOf(before, row.capturedAt, row.metrics, 'import', randomUUID());
  const result = withAdded(read.after, reading, { now, earlier: [...read.earlier, ...read.added], history });
  if ('about' in result) {
    if (result.about === 'known') return { line_id: before._id, outcome: 'known', message: null };
    const message = result.about === 'captured_at' ? `captured_at ${result.message}` : result.message;
    return { line_id: before._id, outcome: 'refused', message };
  }
  const { move, fell } = result;
  const { post, emits } = asOne(before, move.post, read.emits || move.emits);
  Object.assign(read, {
    // The file's rows are one change, so they are one version of what the readings add up to.
    after: { ...post, readings_version: (before.readings_version ?? 0) + 1 },
    emits,
    added: [...read.added, reading],
    fell: read.fell || fell,
  });
  return { line_id: before._id, outcome: 'added', message: null };
};

const answerOf = (rows: Row[]): Answer => {
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return { added: count('added'), known: count('known'), refused: count('refused'), rows };
};

const auditOf = (ctx: Ctx, { before, after, added }: Read, reason: string) => ({
  ws: before.ws,
  actor: actorOf(ctx),
  action: 'post.reading',
  object: before._id,
  reason,
  payload: { status: after.status, attempt: before.attempt, readings: added.length },
});
