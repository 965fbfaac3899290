import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, emailInput, lineInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { leadReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { OPERATOR_ROLES } from '../roles.js';

/** A person of the operator's team (docs/domain/operators.md#operators). */
export const Operator = z
  .object({
    id: Uuid,
    name: publicText(),
    email: publicText(),
    role: z.enum(OPERATOR_ROLES),
    created_at: Timestamp,
    created_by: publicText(),
    removed_at: Timestamp.nullable(),
  })
  .meta({ id: 'Operator' });
export type Operator = z.infer<typeof Operator>;

/** What ended with a person or a token, and whom they added to the team, which stays (docs/domain/access.md#rights). */
export const endedWith = () => ({
  ended_tokens: z
    .array(z.object({ id: Uuid, name: publicText() }))
    .meta({ description: 'The tokens that were made with it, which are revoked with it.' }),
  added: z
    .array(z.object({ id: Uuid, name: publicText(), email: publicText(), role: z.enum(OPERATOR_ROLES) }))
    .meta({ description: 'Who was added with it and is still one of the team. A lead removes them.' }),
});

export const operatorOperations = defineOperations('gateway', {
  ops_operators_list: {
    ...leadReads,
    rest: { method: 'GET', path: '/api/ops/operators', root: 'app' },
    summary: "Lists the people of the operator's team, those who left included, oldest first.",
    query: closed(paging()),
    output: pageOf(Operator),
  },
  ops_operator_make: {
    ...leadWrites,
    rest: { method: 'POST', path: '/api/ops/operators', root: 'app' },
    summary: "Adds a person to the operator's team, or readmits one, and sends an invitation.",
    body: closed({
      email: emailInput(),
      name: lineInput({ max: 60 }),
      role: oneOf(OPERATOR_ROLES),
      reason: reason().optional(),
    }),
    output: Operator,
    success: 201,
    conflicts: ['already_member'],
  },
  ops_operator_remove: {
    ...leadWrites,
    rest: { method: 'DELETE', path: '/api/ops/operators/{id}', root: 'app' },
    summary: "Removes a person from the operator's team, with their sessions and the tokens that they made.",
    params: closed({ id: uuidInput() }),
    output: Operator.extend(endedWith()).meta({ id: 'RemovedOperator' }),
    conflicts: ['bad_state'],
  },
});
