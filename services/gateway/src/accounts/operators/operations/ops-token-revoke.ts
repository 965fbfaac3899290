import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type OperatorRightsDeps, operatorEnding } from '../../rights/made-by-operator.js';
import { presentOperatorToken } from '../store/operator-tokens.js';

/** Revokes a token and those made with it (docs/domain/access.md#rights). Raises not_found, conflict (bad_state). */
export const opsTokenRevoke: WriteHandler<'ops_token_revoke', OperatorRightsDeps> = async (ctx, input, deps) => {
  const { operatorTokens } = deps;
  const row = await operatorTokens.byId(input.id);
  if (row === null) throw notFound('token');
  if (row.revoked_at !== null) throw conflict('bad_state', 'The token is already revoked.');
  const end = await operatorEnding(ctx, row.token_id, await operatorTokens.madeWith(row.token_id), deps);

  return change(
    { ...presentOperatorToken({ ...row, revoked_at: ctx.networkNow }), ...end.presented },
    {
      save: async (tx) => {
        await operatorTokens.revoke(tx, row, ctx.networkNow);
        await end.save(tx);
      },
      audit: [
        { ws: '', actor: actorOf(ctx), action: 'token.revoked', object: row.token_id, payload: { name: row.name } },
        ...end.audit,
      ],
    },
  );
};
