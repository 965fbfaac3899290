import { randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { VIEWS_FELL_SHARE } from '../domain/constants.js';
import { withReadings } from '../domain/post-moves.js';
import type { Reading } from '../domain/reading.js';
import { taskOf } from '../domain/tasks.js';
import type { Readings } from '../store/readings.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

type Deps = OperatedPostDeps & { readings: Readings };

/**
 * Adds the team's reading of a post. Raises not_found, unprocessable (captured_at), conflict (bad_state). Source:
 * docs/domain/orders.md#results.
 */
export const opsLineReadings: WriteHandler<'ops_line_readings', Deps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const { published_at: publishedAt } = before;
  if (publishedAt === null || before.gone_at !== null || before.stopped)
    throw conflict('bad_state', 'Only a post that is up can be read.', { status: before.status });
  const capturedAt = new Date(input.captured_at);
  if (capturedAt < publishedAt || capturedAt > now)
    throw unprocessable([
      {
        field: 'captured_at',
        message: `must be between ${publishedAt.toISOString()}, when the post was made, and now, ${now.toISOString()}`,
      },
    ]);
  const earlier = await deps.readings.ofLine(before.ws, before._id);
  if (earlier.some((one) => one.source === 'operator' && one.captured_at.getTime() === capturedAt.getTime()))
    throw conflict('bad_state', 'The team has a reading of this moment already.', { captured_at: input.captured_at });

  const reading: Reading = {
    _id: randomUUID(),
    ws: before.ws,
    line_id: before._id,
    captured_at: capturedAt,
    views: input.views ?? null,
    likes: input.likes ?? null,
    comments: input.comments ?? null,
    shares: input.shares ?? null,
    bookmarks: input.bookmarks ?? null,
    clicks: input.clicks ?? null,
    profile_visits: input.profile_visits ?? null,
    source: 'operator',
  };
  const move = withReadings(before, publishedAt, [...earlier, reading], await deps.posts.countsOf(before));
  const last = before.figures.latest;
  const fell =
    reading.views !== null &&
    last?.views != null &&
    last.captured_at < capturedAt &&
    reading.views < last.views * (1 - VIEWS_FELL_SHARE);

  return operatedChange(
    ctx,
    {
      before,
      move,
      now,
      action: 'post.reading',
      reason: input.reason,
      payload: { captured_at: input.captured_at, views: reading.views },
      also: (tx) => deps.readings.add(tx, reading),
      tasks: fell ? [taskOf('views_fell', before, now)] : [],
    },
    deps,
  );
};
