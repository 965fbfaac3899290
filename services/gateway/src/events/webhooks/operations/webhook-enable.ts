import { actorOf, change, type WriteHandler } from '@cds/service';
import type { WebhookStore } from '../deps.js';
import { answered, endpointOf } from '../endpoint-of.js';

const ENABLED = { enabled: true, disabled_at: null, disabled_because: null, failing_since: null } as const;

/**
 * Enables a disabled webhook endpoint: what waits is tried again at once, and it continues where it stopped. Enabling
 * an enabled one changes nothing. Raises not_found. Source: docs/domain/events.md#webhooks.
 */
export const webhookEnable: WriteHandler<'webhook_enable', { hooks: WebhookStore }> = async (ctx, input, { hooks }) => {
  const { webhooks, lanes } = hooks;
  const row = await endpointOf(ctx, input.id, hooks);
  if (row.enabled) return change(await answered(ctx, row, hooks), { save: async () => {} });

  const { ws, _id } = row;
  return change(await answered(ctx, { ...row, ...ENABLED }, hooks), {
    save: async (tx) => {
      await webhooks.change(tx, row, ENABLED);
      await lanes.resume(tx, ws, _id);
    },
    audit: [{ ws, actor: actorOf(ctx), action: 'webhook.enabled', object: _id, payload: {} }],
  });
};
