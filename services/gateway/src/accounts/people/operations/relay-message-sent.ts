import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import type { PeopleModule } from '../module.js';
import { presentMessage } from '../present-message.js';

/** Notes that a message was sent. Raises not_found, conflict (bad_state). Source: docs/domain/pages.md#messages. */
export const relayMessageSent: WriteHandler<'relay_message_sent', { people: PeopleModule }> = async (
  ctx,
  input,
  { people },
) => {
  const row = await people.messages.byId(input.id.toLowerCase());
  if (row === null) throw notFound('message');
  if (row.sent_at !== null) throw conflict('bad_state', 'This message was sent already.');

  const at = ctx.networkNow;
  return change(presentMessage({ ...row, sent_at: at }), {
    save: (tx) => people.messages.sent(tx, row._id, at),
    audit: [{ ws: '', actor: actorOf(ctx), action: 'message.sent', object: row._id, payload: { kind: row.kind } }],
  });
};
