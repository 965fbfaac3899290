import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type Operators, presentOperator } from '../store/operators.js';

/**
 * Revokes a token at once and permanently. Raises not_found, conflict (bad_state). Source:
 * docs/domain/access.md#operators.
 */
export const opsOperatorRevoke: WriteHandler<'ops_operator_revoke', { operators: Operators }> = async (
  ctx,
  input,
  { operators },
) => {
  const row = await operators.byId(input.id);
  if (row === null) throw notFound('operator');
  if (row.revoked_at !== null) throw conflict('bad_state', 'The token is already revoked.');

  return change(presentOperator({ ...row, revoked_at: ctx.networkNow }), {
    save: (tx) => operators.revoke(tx, row, ctx.networkNow),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'operator.revoked',
        object: row.operator_id,
        reason: input.reason,
        payload: { name: row.name },
      },
    ],
  });
};
