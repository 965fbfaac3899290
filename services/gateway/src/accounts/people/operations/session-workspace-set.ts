import { notFound } from '@cds/contracts';
import { change, commitChange, type WriteHandler, type WriteShell } from '@cds/service';
import type { PeopleModule } from '../module.js';
import { enteredFrom } from '../new-session.js';
import { entrancesOf, placeOf, presentMe } from '../places.js';

/**
 * Switches workspace, accepts that brand's invitation, and is audited there (docs/domain/sign-in.md#sign-in). Raises
 * not_found.
 */
export const sessionWorkspaceSet: WriteHandler<
  'session_workspace_set',
  { shell: WriteShell; people: PeopleModule }
> = async (ctx, input, { shell, people }) => {
  const { id = '', session = '' } = ctx.principal.person ?? {};
  const [person, entrances] = await Promise.all([people.people.byId(id), entrancesOf(id, people)]);
  const wanted = entrances.find(({ workspace }) => workspace._id === input.workspace.toLowerCase());
  const place = wanted === undefined ? null : await placeOf(wanted, people);
  if (person === null || wanted === undefined || place === null) throw notFound('workspace');

  const left = entrances.find(({ workspace }) => workspace._id === ctx.principal.workspace);
  if (left?.brand._id !== wanted.brand._id) {
    const entered = change(null, { save: async () => undefined, audit: [enteredFrom(ctx, place.workspace, session)] });
    await commitChange(shell, ctx, 'session_workspace_set', 200, async () => entered, false);
  }
  await people.sessions.place(session, place);
  await people.members.entered(wanted.member, ctx.networkNow);

  return presentMe(person, wanted, entrances);
};
