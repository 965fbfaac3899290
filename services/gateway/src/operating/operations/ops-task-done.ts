import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { presentTask, type Tasks } from '../store/tasks.js';

/** Marks a task done. Raises not_found, conflict (bad_state). Source: docs/domain/operators.md#tasks-and-feedback. */
export const opsTaskDone: WriteHandler<'ops_task_done', { tasks: Tasks }> = async (ctx, input, { tasks }) => {
  const row = await tasks.byId(input.id);
  if (row === null) throw notFound('task');
  if (row.state === 'done') throw conflict('bad_state', 'The task is already done.');

  const by = ctx.principal.operator?.name ?? 'system';
  return change(presentTask({ ...row, state: 'done', done_at: ctx.networkNow, done_by: by }), {
    save: (tx) => tasks.done(tx, row._id, ctx.networkNow, by),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'task.done',
        object: row._id,
        reason: input.reason,
        payload: { kind: row.kind, about: row.about },
      },
    ],
  });
};
