import { listed, type ReadHandler } from '@cds/service';
import type { PeopleModule } from '../module.js';
import { presentMessage } from '../present-message.js';

/** The messages of the queue without their links, the oldest first. Source: docs/domain/pages.md#messages. */
export const opsMessagesList: ReadHandler<'ops_messages_list', { people: PeopleModule }> = (_ctx, input, { people }) =>
  listed(input, {
    rows: (place, limit) => people.messages.page(input.sent ?? null, place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: presentMessage,
  });
