import { randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { withAdded } from '../domain/added-reading.js';
import { metricsOf, readingOf } from '../domain/reading.js';
import { taskOf } from '../domain/tasks.js';
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
