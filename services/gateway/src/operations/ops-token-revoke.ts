import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type OperatorTokens, presentOperatorToken } from '../store/operator-tokens.js';

/**
 * Revokes a token at once and permanently. Raises not_found, conflict (bad_state). Source:
 * docs/domain/access.md#operators.
 */
export const opsTokenRevoke: WriteHandler<'ops_token_revoke', { operatorTokens: OperatorTokens }> = async (
  ctx,
  input,
  { operatorTokens },
) => {
  const row = await operatorTokens.byId(input.id);
  if (row === null) throw notFound('token');
  if (row.revoked_at !== null) throw conflict('bad_state', 'The token is already revoked.');

  return change(presentOperatorToken({ ...row, revoked_at: ctx.networkNow }), {
    save: (tx) => operatorTokens.revoke(tx, row, ctx.networkNow),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'token.revoked',
        object: row.token_id,
        payload: { name: row.name },
      },
    ],
  });
};
