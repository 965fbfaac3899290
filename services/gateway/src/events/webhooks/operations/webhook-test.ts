import { randomUUID } from 'node:crypto';
import { conflict, TEST_KIND } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import type { WebhookStore } from '../deps.js';
import { laneOf, testBody } from '../domain/webhook-message.js';
import { endpointOf } from '../endpoint-of.js';
import { presentDelivery } from '../present.js';
import type { NewDelivery } from '../store/webhook-deliveries.js';

/** Tests of one endpoint that wait at once. */
const MAX_WEBHOOK_TESTS = 10;

/**
 * Sends a test to a webhook endpoint within a second, once, whether it is enabled or not. Its outcome is among the
 * deliveries and changes nothing else. Raises not_found, conflict (bad_state when ten tests wait). Source:
 * docs/domain/events.md#webhooks.
 */
export const webhookTest: WriteHandler<'webhook_test', { hooks: WebhookStore }> = async (ctx, input, { hooks }) => {
  const { webhooks, deliveries, lanes } = hooks;
  const at = ctx.networkNow;
  const endpoint = await endpointOf(ctx, input.id, hooks);
  const { ws, _id: endpoint_id } = endpoint;

  const id = randomUUID();
  const row: NewDelivery = {
    _id: id,
    ws,
    endpoint_id,
    event_id: null,
    lane: laneOf(endpoint_id, { type: 'test', id }),
    seq: 0,
    kind: TEST_KIND,
    body: testBody(endpoint_id, at),
  };
  const shown = { ...row, state: 'waiting' as const, attempts: [], created_at: at, drop_at: at };
  return change(presentDelivery(shown, undefined), {
    save: async (tx) => {
      await webhooks.beginTest(tx, endpoint);
      if ((await lanes.tests(tx, ws, endpoint_id)) >= MAX_WEBHOOK_TESTS) throw tooManyTests();
      await deliveries.add(tx, [row]);
      await lanes.open(tx, [row], true);
    },
    audit: [{ ws, actor: actorOf(ctx), action: 'webhook.tested', object: endpoint_id, payload: {} }],
  });
};

const tooManyTests = () =>
  conflict('bad_state', `${MAX_WEBHOOK_TESTS} tests of this endpoint wait. Test again when they have ended.`);
