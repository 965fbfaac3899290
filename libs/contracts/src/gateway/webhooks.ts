import { z } from 'zod';
import { Count, publicText, Timestamp, Uuid } from '../fields.js';
import { addressInput, closed, saying, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { ofPeople } from '../operation-kinds.js';
import { paging } from '../operator-fields.js';
import { brandPath } from '../planning/inputs.js';
import { FEED_KINDS } from './feed.js';

/** What a webhook is sent besides events: a test that somebody asked for (docs/domain/events.md#webhooks). */
export const TEST_KIND = 'webhook.test';

/** Why an endpoint is sent nothing: it answered 410, or an event was tried for three days. */
export const WEBHOOK_CAUSES = ['gone', 'failing'] as const;
export type WebhookCause = (typeof WEBHOOK_CAUSES)[number];

/** The state of a delivery: `waiting` for its next attempt, `delivered`, or `failed`, which is only a test's end. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt failed. `status` and `redirect` have an answer, the others have none. */
export const ATTEMPT_PROBLEMS = ['status', 'redirect', 'timeout', 'unreachable', 'not_allowed'] as const;
export type AttemptProblem = (typeof ATTEMPT_PROBLEMS)[number];

/** An endpoint to which the workspace's events are sent (docs/domain/events.md#webhooks), without its secret. */
export const Webhook = z
  .object({
    id: Uuid,
    url: publicText(),
    kinds: z.array(z.enum(FEED_KINDS)).nullable().meta({ description: 'Which events are sent; null for every kind.' }),
    state: z.enum(['enabled', 'disabled']),
    disabled_at: Timestamp.nullable(),
    disabled_because: z.enum(WEBHOOK_CAUSES).nullable(),
    failing_since: Timestamp.nullable().meta({ description: 'The first failure since the last success.' }),
    waiting: Count.meta({ description: 'Deliveries that wait for an attempt.' }),
    secrets: z.array(z.object({ made_at: Timestamp, ends_at: Timestamp.nullable() })).meta({
      description: 'The secrets that sign now, the newest first. A former one ends 24 hours after the rotation.',
    }),
    created_at: Timestamp,
    created_by: publicText(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** One message to an endpoint, with its body as it is sent and every attempt so far, the oldest first. */
export const WebhookDelivery = z
  .object({
    id: Uuid.meta({ description: 'The header webhook-id, the same for every attempt and for a replay.' }),
    event_id: Uuid.nullable().meta({ description: 'The event of the feed; null for a test.' }),
    kind: z.enum([...FEED_KINDS, TEST_KIND]),
    body: publicText(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.array(
      z.object({
        at: Timestamp,
        status: z.int().nullable(),
        problem: z.enum(ATTEMPT_PROBLEMS).nullable(),
        duration_ms: z.int(),
      }),
    ),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When it is due; null when it ended, or waits behind an earlier event of the same aggregate.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const KINDS_RULE = `must be one or more of ${FEED_KINDS.join(', ')}, without duplicates`;
const kindsError = saying(KINDS_RULE);

/** What is wrong with an unknown kind. Other text than a kind may be is not repeated. */
const kindError = ({ input }: { input?: unknown }): string =>
  typeof input === 'string' && /^[a-z0-9_.-]{1,40}$/i.test(input)
    ? `names an unknown kind: ${input}; ${KINDS_RULE}`
    : KINDS_RULE;

const kindsInput = () =>
  z
    .array(z.enum(FEED_KINDS, { error: kindError }), { error: kindsError })
    .min(1, { error: kindsError })
    .refine((kinds) => new Set(kinds).size === kinds.length, { error: kindsError });

const webhookOperation = { ...ofPeople, atLeast: 'admin' } as const;
const webhookWrite = { ...webhookOperation, effect: 'write', idempotency: 'required' } as const;
const webhookParams = closed({ id: uuidInput().describe('The id of the endpoint, a UUID.') });

const WithSecret = z.object({ webhook: Webhook, secret: publicText() });

export const webhookOperations = defineOperations('gateway', {
  webhooks_list: {
    ...webhookOperation,
    rest: { method: 'GET', path: brandPath('/webhooks'), root: 'app' },
    effect: 'read',
    summary: "Lists the workspace's webhook endpoints, oldest first.",
    output: z.object({ webhooks: z.array(Webhook) }),
  },
  webhook_make: {
    ...webhookWrite,
    rest: { method: 'POST', path: brandPath('/webhooks'), root: 'app' },
    ownRecord: true,
    summary: 'Makes a webhook endpoint, which is sent the events from now on. Its secret is shown once.',
    body: closed({
      url: addressInput({ max: 2_000 }).describe('An https URL on port 443 of a public host.'),
      kinds: kindsInput().optional().describe('Which events are sent. Default: every kind, new ones too.'),
    }),
    output: WithSecret,
    success: 201,
    conflicts: ['too_many_webhooks', 'secret_gone'],
  },
  webhook_remove: {
    ...webhookWrite,
    rest: { method: 'DELETE', path: brandPath('/webhooks/{id}'), root: 'app' },
    summary: 'Removes a webhook endpoint with its deliveries. Nothing is sent to it any more.',
    params: webhookParams,
    output: Webhook,
  },
  webhook_test: {
    ...webhookWrite,
    rest: { method: 'POST', path: brandPath('/webhooks/{id}/test'), root: 'app' },
    summary:
      'Sends a test to a webhook endpoint, once, also while it is disabled. Its outcome is among the deliveries.',
    params: webhookParams,
    output: WebhookDelivery,
    success: 202,
    conflicts: ['bad_state'],
  },
  webhook_rotate: {
    ...webhookWrite,
    rest: { method: 'POST', path: brandPath('/webhooks/{id}/rotate'), root: 'app' },
    ownRecord: true,
    summary: 'Gives a webhook endpoint a new secret, shown once. The former one goes on signing for 24 hours.',
    params: webhookParams,
    output: WithSecret,
    conflicts: ['bad_state', 'secret_gone'],
  },
  webhook_enable: {
    ...webhookWrite,
    rest: { method: 'POST', path: brandPath('/webhooks/{id}/enable'), root: 'app' },
    summary: 'Enables a disabled webhook endpoint. It goes on where it stopped.',
    params: webhookParams,
    output: Webhook,
  },
  webhook_replay: {
    ...webhookWrite,
    rest: { method: 'POST', path: brandPath('/webhooks/{id}/replay'), root: 'app' },
    summary: 'Sends the events after a cursor of the feed to a webhook endpoint again, under their former ids.',
    params: webhookParams,
    body: closed({
      cursor: tokenInput({ max: 100 })
        .optional()
        .describe('The `next` of a page of events: what came after it is sent again. Default: all that is kept.'),
    }),
    output: Webhook,
  },
  webhook_deliveries: {
    ...webhookOperation,
    rest: { method: 'GET', path: brandPath('/webhooks/{id}/deliveries'), root: 'app' },
    effect: 'read',
    summary: 'Lists what was and will be sent to a webhook endpoint, newest first, with bodies and attempts.',
    params: webhookParams,
    query: closed({
      state: z
        .enum(DELIVERY_STATES, { error: saying(`must be one of ${DELIVERY_STATES.join(', ')}`) })
        .optional()
        .describe('Default: all.'),
      ...paging(),
    }),
    output: z.object({ deliveries: z.array(WebhookDelivery), next: publicText().nullable() }),
  },
});
