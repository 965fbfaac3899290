import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { queryInteger } from '../query.js';
import { TASK_KINDS, TaskAbout } from '../task.js';

const TASK_STATES = ['open', 'done'] as const;

export type TaskState = (typeof TASK_STATES)[number];

/** A task for the operator's team, opened by a service and closed by a person (docs/domain/operators.md#operators). */
export const Task = z
  .object({
    id: Uuid,
    kind: z.enum(TASK_KINDS),
    what: publicText(),
    about: TaskAbout,
    note: publicText().nullable(),
    state: z.enum(TASK_STATES),
    opened_at: Timestamp,
    done_at: Timestamp.nullable(),
    done_by: publicText().nullable(),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof Task>;

export const taskOperations = defineOperations('gateway', {
  ops_tasks_list: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/tasks', root: 'app' },
    scope: null,
    role: 'writer',
    effect: 'read',
    summary: "Lists the tasks of the operator's team, oldest first.",
    query: closed({
      state: oneOf(TASK_STATES).optional().describe('Default: open.'),
      kind: oneOf(TASK_KINDS).optional(),
      cursor: tokenInput({ max: 100 }).optional().describe('The next of the previous answer.'),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('Default: 50.'),
    }),
    output: z.object({ tasks: z.array(Task), next: publicText().nullable() }),
  },
  ops_task_done: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/tasks/{id}/done', root: 'app' },
    scope: null,
    role: 'writer',
    effect: 'write',
    idempotency: 'required',
    summary: 'Closes a task that a person has completed.',
    params: closed({ id: uuidInput() }),
    body: closed({
      reason: codePoints({ max: 500 }).describe('What was done. Stored in the audit, so it must not contain handles.'),
    }),
    output: Task,
    conflicts: ['bad_state'],
  },
});
