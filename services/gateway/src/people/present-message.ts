import type { OperatorRole, QueuedMessage } from '@cds/contracts';
import type { MessageRow, Messages } from '../store/messages.js';

/**
 * Who sees a message's link: no viewer, since it lets its reader act for somebody, and for an operator's sign-in only a
 * lead, or a fulfilment token could sign in as one.
 */
const seesLink = (role: OperatorRole, { kind }: Pick<MessageRow, 'kind'>): boolean =>
  role === 'lead' || (role !== 'viewer' && kind !== 'ops_sign_in');

/** The link; null when the key that sealed it is gone, so that one message never hides the others. */
const readable = (row: MessageRow, messages: Pick<Messages, 'linkOf'>): string | null => {
  try {
    return messages.linkOf(row);
  } catch {
    return null;
  }
};

export const presentMessage = (
  row: MessageRow,
  role: OperatorRole,
  messages: Pick<Messages, 'linkOf'>,
): QueuedMessage => ({
  id: row._id,
  kind: row.kind,
  to: row.to,
  subject: row.subject,
  text: row.text,
  link: seesLink(role, row) ? readable(row, messages) : null,
  sandbox: row.sandbox,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
});
