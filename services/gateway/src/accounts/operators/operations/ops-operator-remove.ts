import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type OperatorRightsDeps, operatorEnding } from '../../rights/made-by-operator.js';
import { changeInTeam, keepingALead, presentOperator } from '../operator-team.js';

/**
 * Removes somebody with their sessions and tokens (docs/domain/operators.md#operators, docs/domain/access.md#rights).
 * Nobody removes themselves, and one lead always stays. Raises not_found, conflict (bad_state).
 */
export const opsOperatorRemove: WriteHandler<'ops_operator_remove', OperatorRightsDeps> = async (ctx, input, deps) => {
  const { operators } = deps.people;
  const row = await operators.people.byId(input.id.toLowerCase());
  if (row === null) throw notFound('operator');
  if (row.removed_at !== null) throw conflict('bad_state', 'This person has already left the team.');
  if (row._id === ctx.principal.operator?.id)
    throw conflict('bad_state', 'Nobody can remove themselves. Ask another lead.');

  const at = ctx.networkNow;
  const end = await operatorEnding(ctx, row._id, await deps.operatorTokens.madeBy(row._id), deps);
  return change(
    { ...presentOperator({ ...row, removed_at: at }), ...end.presented },
    {
      save: async (tx) => {
        const remove = () => changeInTeam(tx, operators, row, { removed_at: at });
        await (row.role === 'lead' ? keepingALead(tx, operators, remove) : remove());
        await end.save(tx);
      },
      audit: [
        { ws: '', actor: actorOf(ctx), action: 'operator.removed', object: row._id, payload: { role: row.role } },
        ...end.audit,
      ],
    },
  );
};
