import { listed, type ReadHandler } from '@cds/service';
import type { PeopleModule } from '../people/module.js';
import { presentMessage } from '../people/present-message.js';

/** The messages of the queue, the oldest first. Source: docs/domain/access.md#messages. */
export const opsMessagesList: ReadHandler<'ops_messages_list', { people: PeopleModule }> = (ctx, input, { people }) =>
  listed(input, {
    rows: (place, limit) => people.messages.page(input.sent ?? null, place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: (row) => presentMessage(row, ctx.principal.operator?.role ?? 'viewer', people.messages),
  });
