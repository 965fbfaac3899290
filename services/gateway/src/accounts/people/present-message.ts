import type { QueuedMessage, RelayedMessage } from '@cds/contracts';
import type { MessageRow, Messages } from './store/messages.js';

/** A message without its link, which lets whoever reads it act for somebody. */
export const presentMessage = (row: MessageRow): QueuedMessage => ({
  id: row._id,
  kind: row.kind,
  to: row.to,
  subject: row.subject,
  text: row.text,
  sandbox: row.sandbox,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
});

/** A message as its relay sends it. */
export const presentRelayed = (row: MessageRow, messages: Pick<Messages, 'linkOf'>): RelayedMessage => ({
  ...presentMessage(row),
  link: readable(row, messages),
});

/** The link; null when the key that sealed it is gone, so that one message never hides the others. */
const readable = (row: MessageRow, messages: Pick<Messages, 'linkOf'>): string | null => {
  try {
    return messages.linkOf(row);
  } catch {
    return null;
  }
};
