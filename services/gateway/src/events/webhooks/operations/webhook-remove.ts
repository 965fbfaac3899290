import { actorOf, change, Deadline, type WriteHandler } from '@cds/service';
import type { WebhookStore } from '../deps.js';
import { answered, endpointOf } from '../endpoint-of.js';

/**
 * Removes a webhook endpoint and what waits for it. Its deliveries are removed after the commit; what a crash leaves of
 * them is never read, and expires. Raises not_found. Source: docs/domain/events.md#webhooks.
 */
export const webhookRemove: WriteHandler<'webhook_remove', { hooks: WebhookStore }> = async (ctx, input, { hooks }) => {
  const { webhooks, lanes, deliveries } = hooks;
  const row = await endpointOf(ctx, input.id, hooks);
  const { ws, _id } = row;

  return change(await answered(ctx, row, hooks), {
    save: async (tx) => {
      await webhooks.remove(tx, row);
      await lanes.forget(tx, ws, _id);
    },
    audit: [{ ws, actor: actorOf(ctx), action: 'webhook.removed', object: _id, payload: {} }],
    committed: () => void Deadline.detached(() => deliveries.forget(ws, _id)).catch(() => undefined),
  });
};
