import { listed, type ReadHandler } from '@cds/service';
import type { WebhookStore } from '../deps.js';
import { endpointOf } from '../endpoint-of.js';
import { presentDelivery } from '../present.js';

/**
 * What was and will be sent to a webhook endpoint, the newest first, with bodies and attempts. Raises not_found,
 * bad_request for a cursor that no page gave. Source: docs/domain/events.md#webhooks.
 */
export const webhookDeliveries: ReadHandler<'webhook_deliveries', { hooks: WebhookStore }> = async (
  ctx,
  input,
  { hooks },
) => {
  const { ws, _id } = await endpointOf(ctx, input.id, hooks);
  const { items, next } = await listed(input, {
    rows: (place, limit) => hooks.deliveries.page(ws, _id, input.state ?? null, place, limit),
    placeOf: (row) => ({ at: row.created_at, id: row._id }),
    present: (row) => row,
  });
  const waiting = items.filter(({ state }) => state === 'waiting').map(({ lane }) => lane);
  const lanes = await hooks.lanes.those(ws, waiting);

  return { deliveries: items.map((row) => presentDelivery(row, lanes.get(row.lane))), next };
};
