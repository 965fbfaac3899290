import { listed, type ReadHandler } from '@cds/service';
import type { PeopleModule } from '../module.js';
import { presentRelayed } from '../present-message.js';

/** The messages that the mail relay still has to send, oldest first. Source: docs/domain/pages.md#messages. */
export const relayMessagesList: ReadHandler<'relay_messages_list', { people: PeopleModule }> = (
  _ctx,
  input,
  { people },
) =>
  listed(input, {
    rows: (place, limit) => people.messages.page(false, place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: (row) => presentRelayed(row, people.messages),
  });
