import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import type { PeopleModule } from '../../people/module.js';
import { fromOf } from '../../people/new-session.js';
import { newPerson, type OperatorPersonRow } from '../../people/store/people.js';
import { teamInvitation } from '../../people/texts.js';
import { addToTeam, changeInTeam, presentOperator } from '../operator-team.js';

/**
 * Adds somebody to the team, or takes them back (docs/domain/operators.md#operators). Raises conflict (already_member).
 */
export const opsOperatorMake: WriteHandler<'ops_operator_make', { people: PeopleModule }> = async (
  ctx,
  { email, name, role, reason = '' },
  { people },
) => {
  const team = people.operators;
  const at = ctx.networkNow;
  const known = await team.people.byEmail(email);
  if (known !== null && known.removed_at === null)
    throw conflict('already_member', 'This address is already one of the team. Remove that person to change the role.');

  const created_by = ctx.principal.operator?.name ?? 'system';
  const added_by = actorOf(ctx);
  const row: OperatorPersonRow =
    known === null
      ? { ...newPerson(randomUUID(), email, name, at), role, created_by, added_by, removed_at: null }
      : { ...known, name, role, created_by, added_by, removed_at: null };
  const link = `${people.appUrl}/ops/sign-in/${await team.auth.linkFor(email, fromOf(ctx))}`;

  return change(presentOperator(row), {
    save: async (tx) => {
      if (known === null) await addToTeam(tx, team, row);
      else await changeInTeam(tx, team, known, { name, role, created_by, added_by, removed_at: null, back_at: at });
      await people.messages.queue(tx, teamInvitation(email, link, at), at);
    },
    audit: [{ ws: '', actor: added_by, action: 'operator.made', object: row._id, reason, payload: { role } }],
  });
};
