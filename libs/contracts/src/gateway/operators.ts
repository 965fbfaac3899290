import { z } from 'zod';
import { DEAD_LETTER_STATES, DeadLetter, RepublishRun } from '../event-operations.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { OPERATOR_ROLES } from '../operator.js';
import { queryInteger } from '../query.js';
import { SERVICES } from '../service.js';
import { TASK_KINDS, TaskAbout } from '../task.js';

export const TASK_STATES = ['open', 'done'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A token of the operator's team, without its secret (domain 4-doors 4). */
export const Operator = z
  .object({
    id: Uuid,
    public_id: publicText(),
    name: publicText(),
    role: z.enum(OPERATOR_ROLES),
    created_at: Timestamp,
    created_by: publicText(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'Operator' });
export type Operator = z.infer<typeof Operator>;

/** Something for the operator's team to do, opened by a service and done by a person (domain 4-doors 4). */
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

export const gatewayOperators = {
  ops_tasks_list: defineOperation({
    name: 'ops_tasks_list',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/tasks', root: 'app' },
    scope: null,
    role: 'writer',
    effect: 'read',
    summary: "What the operator's team is to do, the oldest first.",
    query: closed({
      state: oneOf(TASK_STATES).optional().describe('open by default.'),
      kind: oneOf(TASK_KINDS).optional(),
      cursor: codePoints({ max: 100 }).optional().describe('The former answer’s next.'),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('50 by default.'),
    }),
    output: z.object({ tasks: z.array(Task), next: publicText().nullable() }),
  }),
  ops_task_done: defineOperation({
    name: 'ops_task_done',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/tasks/{id}/done', root: 'app' },
    scope: null,
    role: 'writer',
    effect: 'write',
    idempotency: 'required',
    summary: 'Ends a task that a person has seen to.',
    params: closed({ id: uuidInput() }),
    body: closed({
      reason: codePoints({ max: 500 }).describe('What was done; kept in the audit, so without handles.'),
    }),
    output: Task,
    conflicts: ['bad_state'],
  }),
  ops_operators_list: defineOperation({
    name: 'ops_operators_list',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/operators', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: "The tokens of the operator's team, without secrets.",
    output: z.object({ operators: z.array(Operator) }),
  }),
  ops_operator_make: defineOperation({
    name: 'ops_operator_make',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/operators', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    // The answer holds a secret, which is stored nowhere: a token is made once by its name.
    ownRecord: true,
    summary: 'Makes a token with a role; its secret is shown once and kept nowhere.',
    body: closed({ name: codePoints({ max: 60 }), role: oneOf(OPERATOR_ROLES), reason: codePoints({ max: 500 }) }),
    output: z.object({ operator: Operator, secret: publicText() }),
    success: 201,
    conflicts: ['name_taken'],
  }),
  ops_operator_revoke: defineOperation({
    name: 'ops_operator_revoke',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/operators/{id}/revoke', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Ends a token at once and for good.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: codePoints({ max: 500 }) }),
    output: Operator,
    conflicts: ['bad_state'],
  }),
  ops_dead_letters_list: defineOperation({
    name: 'ops_dead_letters_list',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/dead-letters', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'The events that services set aside instead of applying them, the oldest first.',
    query: closed({
      state: oneOf(DEAD_LETTER_STATES).optional().describe('parked by default.'),
      service: oneOf(SERVICES).optional().describe('The service that follows the events; all by default.'),
      cursor: codePoints({ max: 100 }).optional().describe('The former answer’s next.'),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('50 by default.'),
    }),
    output: z.object({
      dead_letters: z.array(DeadLetter),
      unavailable: z
        .array(z.enum(SERVICES))
        .describe('Services that did not answer. Their events are missing here; read the list again later.'),
      next: publicText().nullable(),
    }),
  }),
  ops_dead_letter_retry: defineOperation({
    name: 'ops_dead_letter_retry',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dead-letters/{id}/retry', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Tries to apply an event that was set aside; it stays parked, with the new error, when that fails.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: codePoints({ max: 500 }).describe('Why it is tried again; kept in the audit.') }),
    output: DeadLetter,
  }),
  ops_republish_progress: defineOperation({
    name: 'ops_republish_progress',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/republish', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'How far each service is with publishing the current state of its aggregates again.',
    output: z.object({ runs: z.array(RepublishRun) }),
  }),
  ops_republish: defineOperation({
    name: 'ops_republish',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/republish', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Has services publish the current state of every aggregate again; safe at any time.',
    body: closed({
      service: oneOf(SERVICES).optional().describe('The service that publishes; all by default.'),
      reason: codePoints({ max: 500 }).optional().describe('Why; kept in the audit.'),
    }),
    output: z.object({ runs: z.array(RepublishRun) }),
    success: 202,
  }),
} as const;
