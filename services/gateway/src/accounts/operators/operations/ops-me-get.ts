import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import type { PeopleModule } from '../../people/module.js';

export const opsMeGet: ReadHandler<'ops_me_get', { people: PeopleModule }> = async (ctx, _input, { people }) => {
  const { operator } = ctx.principal;
  if (operator === undefined) throw notFound('operator');
  const person = operator.session === undefined ? null : await people.operators.people.byId(operator.id);

  return { id: operator.id, name: operator.name, email: person?.email ?? null, role: operator.role };
};
