import { notFound } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import type { PeopleModule } from '../people/module.js';
import { entrancesOf, placeOf, presentMe } from '../people/places.js';

/**
 * Changes the session's workspace to one of the person's brands, whose invitation it accepts. Raises not_found. Source:
 * docs/domain/access.md#sign-in.
 */
export const sessionWorkspaceSet: WriteHandler<'session_workspace_set', { people: PeopleModule }> = async (
  ctx,
  input,
  { people },
) => {
  const { id = '', session = '' } = ctx.principal.person ?? {};
  const [person, entrances] = await Promise.all([people.people.byId(id), entrancesOf(id, people)]);
  const wanted = entrances.find(({ workspace }) => workspace._id === input.workspace.toLowerCase());
  const place = wanted === undefined ? null : await placeOf(wanted, people);
  if (person === null || wanted === undefined || place === null) throw notFound('workspace');

  await people.sessions.place(session, place);
  await people.members.entered(wanted.member, ctx.networkNow);

  return presentMe(person, wanted, entrances);
};
