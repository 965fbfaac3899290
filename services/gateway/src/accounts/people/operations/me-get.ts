import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import type { PeopleModule } from '../module.js';
import { entrancesOf, presentMe } from '../places.js';

export const meGet: ReadHandler<'me_get', { people: PeopleModule }> = async (ctx, _input, { people }) => {
  const id = ctx.principal.person?.id ?? '';
  const [person, entrances] = await Promise.all([people.people.byId(id), entrancesOf(id, people)]);
  const here = entrances.find(({ workspace }) => workspace._id === ctx.principal.workspace);
  if (person === null || here === undefined) throw notFound('workspace');

  return presentMe(person, here, entrances);
};
