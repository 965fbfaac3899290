import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { OPERATOR_ROLES } from '../roles.js';

/** A token of the operator's team, without its secret (docs/domain/access.md#operators). */
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

export const operatorOperations = {
  ops_operators_list: defineOperation({
    name: 'ops_operators_list',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/operators', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: "Lists the tokens of the operator's team, without secrets.",
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
    // The answer contains a secret, which is never stored: a token is created once by its name.
    ownRecord: true,
    summary: 'Creates a token with a role. Its secret is shown once and not stored.',
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
    summary: 'Revokes a token immediately and permanently.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: codePoints({ max: 500 }) }),
    output: Operator,
    conflicts: ['bad_state'],
  }),
} as const;
