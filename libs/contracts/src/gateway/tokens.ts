import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, instantInput, lineInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { leadReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { OPERATOR_ROLES } from '../roles.js';
import { endedWith } from './operators.js';

/** A token of the operator's team, without its secret (docs/domain/operators.md#operators). */
export const OperatorToken = z
  .object({
    id: Uuid,
    public_id: publicText(),
    name: publicText(),
    role: z.enum(OPERATOR_ROLES),
    created_at: Timestamp,
    created_by: publicText(),
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'OperatorToken' });
export type OperatorToken = z.infer<typeof OperatorToken>;

export const tokenOperations = defineOperations('gateway', {
  ops_tokens_list: {
    ...leadReads,
    rest: { method: 'GET', path: '/api/ops/tokens', root: 'app' },
    summary: "Lists the tokens of the operator's scripts, without secrets, oldest first.",
    query: closed(paging()),
    output: pageOf(OperatorToken),
  },
  ops_token_make: {
    ...leadWrites,
    rest: { method: 'POST', path: '/api/ops/tokens', root: 'app' },
    ownRecord: true,
    summary: 'Creates a token with a role. Its secret is shown once.',
    body: closed({
      name: lineInput({ max: 60 }),
      role: oneOf(OPERATOR_ROLES),
      expires_at: instantInput()
        .optional()
        .describe('Default: with the token that makes it, or never. It cannot outlive that token.'),
      reason: reason().optional(),
    }),
    output: z.object({ token: OperatorToken, secret: publicText() }),
    success: 201,
    conflicts: ['name_taken', 'secret_gone'],
  },
  ops_token_revoke: {
    ...leadWrites,
    rest: { method: 'DELETE', path: '/api/ops/tokens/{id}', root: 'app' },
    summary: 'Revokes a token and those that were made with it, immediately and permanently.',
    params: closed({ id: uuidInput() }),
    output: OperatorToken.extend(endedWith()).meta({ id: 'RevokedToken' }),
    conflicts: ['bad_state'],
  },
});
