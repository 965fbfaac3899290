import { listed, type ReadHandler } from '@cds/service';
import { presentTask, type Tasks } from '../store/tasks.js';

/** The team's tasks, oldest first; open ones by default. Source: docs/domain/operators.md#tasks-and-feedback. */
export const opsTasksList: ReadHandler<'ops_tasks_list', { tasks: Tasks }> = async (_ctx, input, { tasks }) => {
  const { items, next } = await listed(input, {
    rows: (place, limit) => tasks.page(input.state ?? 'open', input.kind ?? null, place, limit),
    placeOf: ({ _id, opened_at }) => ({ at: opened_at, id: _id }),
    present: presentTask,
  });
  return { tasks: items, next };
};
