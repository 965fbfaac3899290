import { randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { withAdded } from '../domain/added-reading.js';
import type { Reading } from '../domain/reading.js';
import { taskOf } from '../domain/tasks.js';
import type { Readings } from '../store/readings.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

type Deps = OperatedPostDeps & { readings: Readings };

/** Raises not_found, unprocessable (captured_at), conflict (bad_state). Source: docs/domain/orders.md#results. */
export const opsLineReadings: WriteHandler<'ops_line_readings', Deps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const reading: Reading = {
    _id: randomUUID(),
    ws: before.ws,
    line_id: before._id,
    post_id: before.post_id,
    captured_at: new Date(input.captured_at),
    views: input.views ?? null,
    likes: input.likes ?? null,
    comments: input.comments ?? null,
    shares: input.shares ?? null,
    bookmarks: input.bookmarks ?? null,
    clicks: input.clicks ?? null,
    profile_visits: input.profile_visits ?? null,
    source: 'operator',
  };
  const [earlier, history] = await Promise.all([
    deps.readings.ofLine(before.ws, before._id),
    deps.posts.countsOf(before),
  ]);
  const added = withAdded(before, reading, { now, earlier, history });
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
