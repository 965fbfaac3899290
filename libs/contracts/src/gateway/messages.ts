import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
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
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message of the queue. `link` is null when there is none, or when the reader may not see it. */
export const QueuedMessage = z
  .object({
    id: Uuid,
    kind: z.enum(MESSAGE_KINDS),
    to: publicText(),
    subject: publicText(),
    text: publicText(),
    link: publicText().nullable(),
    sandbox: z.boolean(),
    created_at: Timestamp,
    sent_at: Timestamp.nullable(),
  })
  .meta({ id: 'QueuedMessage' });
export type QueuedMessage = z.infer<typeof QueuedMessage>;

export const messageOperations = {
  ops_messages_list: defineOperation({
    ...everyRoleReads,
    name: 'ops_messages_list',
    rest: { method: 'GET', path: '/api/ops/messages', root: 'app' },
    summary: 'Lists the messages to be sent, oldest first. A viewer sees no links.',
    query: closed({ sent: queryBoolean().optional().describe('Default: all.'), ...paging() }),
    output: pageOf(QueuedMessage),
  }),
  ops_message_sent: defineOperation({
    ...leadWrites,
    role: 'writer',
    name: 'ops_message_sent',
    rest: { method: 'POST', path: '/api/ops/messages/{id}/sent', root: 'app' },
    summary: 'Notes that a message was sent.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: QueuedMessage,
    conflicts: ['bad_state'],
  }),
} as const;
