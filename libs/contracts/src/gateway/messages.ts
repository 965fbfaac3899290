import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, pageOf, paging } from '../operator-fields.js';
import { queryBoolean } from '../query.js';

const MESSAGE_KINDS = [
  'sign_in',
  'ops_sign_in',
  'invitation',
  'signed_up',
  'known_address',
  'approved',
  'declined',
  'proposal',
  'terms',
  'webhook_disabled',
  'signed_in',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message of the queue as the operator's team sees it: without its link, which may let its reader sign in. */
export const QueuedMessage = z
  .object({
    id: Uuid,
    kind: z.enum(MESSAGE_KINDS),
    to: publicText(),
    subject: publicText(),
    text: publicText(),
    sandbox: z.boolean(),
    created_at: Timestamp,
    sent_at: Timestamp.nullable(),
  })
  .meta({ id: 'QueuedMessage' });
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** A message as the mail relay sends it. `link` follows the text; null when there is none, or its seal key is gone. */
export const RelayedMessage = QueuedMessage.extend({ link: publicText().nullable() }).meta({ id: 'RelayedMessage' });
export type RelayedMessage = z.infer<typeof RelayedMessage>;

/** Operations of the mail relay alone (docs/adr/0024-links-go-to-one-relay.md). */
const ofRelay = { audience: 'relay', scope: null } as const;

export const messageOperations = defineOperations('gateway', {
  ops_messages_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/messages', root: 'app' },
    summary: 'Lists the messages to people, oldest first, without their links.',
    query: closed({ sent: queryBoolean().optional().describe('Default: all.'), ...paging() }),
    output: pageOf(QueuedMessage),
  },
  relay_messages_list: {
    ...ofRelay,
    rest: { method: 'GET', path: '/api/relay/messages', root: 'app' },
    effect: 'read',
    summary: 'Lists the messages that wait to be sent, oldest first, with their links.',
    query: closed(paging()),
    output: pageOf(RelayedMessage),
  },
  relay_message_sent: {
    ...ofRelay,
    rest: { method: 'POST', path: '/api/relay/messages/{id}/sent', root: 'app' },
    effect: 'write',
    idempotency: 'required',
    summary: 'Notes that a message was sent, and drops its link.',
    params: closed({ id: uuidInput() }),
    output: QueuedMessage,
    conflicts: ['bad_state'],
  },
});
