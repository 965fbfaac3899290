import { listed, type ReadHandler } from '@cds/service';
import type { PeopleModule } from '../../people/module.js';
import { presentOperator, teamPage } from '../operator-team.js';

export const opsOperatorsList: ReadHandler<'ops_operators_list', { people: PeopleModule }> = (
  _ctx,
  input,
  { people },
) =>
  listed(input, {
    rows: (place, limit) => teamPage(people.operators, place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: presentOperator,
  });
