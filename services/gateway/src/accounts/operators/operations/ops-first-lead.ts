import { randomUUID } from 'node:crypto';
import { AppError } from '@cds/contracts';
import { change, commitChange, type WriteHandler, type WriteShell } from '@cds/service';
import { tokenHash } from '../../people/auth-database.js';
import type { PeopleModule } from '../../people/module.js';
import { fromOf } from '../../people/new-session.js';
import { newPerson } from '../../people/store/people.js';
import { startOperatorSession } from '../operator-session.js';

/** Makes the first lead by the printed link. Raises unauthorized. Source: docs/domain/operators.md#operators. */
export const opsFirstLead: WriteHandler<'ops_first_lead', { shell: WriteShell; people: PeopleModule }> = async (
  ctx,
  { token, email, name },
  { shell, people },
) => {
  const { operators } = people;
  const hash = tokenHash(token);
  const at = ctx.networkNow;
  const row = {
    ...newPerson(randomUUID(), email, name, at),
    role: 'lead' as const,
    created_by: 'first start',
    removed_at: null,
  };

  const decide = async () => {
    if (!(await operators.firstLead.isOpen(hash)))
      throw new AppError('unauthorized', 'This link is unknown, was used or has expired. Ask a lead to add you.');
    return change(null, {
      save: async (tx) => {
        await operators.firstLead.use(tx, hash, at);
        await operators.people.insert(tx, row);
      },
      audit: [{ ws: '', actor: 'system', action: 'operator.first_lead', object: row._id, payload: { role: row.role } }],
    });
  };
  await commitChange(shell, ctx, 'ops_first_lead', 201, decide, false);

  const link = await operators.auth.linkFor(email, fromOf(ctx));
  return startOperatorSession(ctx, 'ops_first_lead', link, { shell, people });
};
