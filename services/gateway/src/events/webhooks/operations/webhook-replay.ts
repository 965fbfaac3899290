import { badRequest } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { placeAfter } from '../../feed/feed-page.js';
import type { Feed } from '../../feed/store/feed.js';
import type { WebhookStore } from '../deps.js';
import { answered, endpointOf } from '../endpoint-of.js';

/**
 * Sends a webhook endpoint what came after a cursor of the feed again, or all that is kept, under the same ids and in
 * the order of the feed. A disabled endpoint is sent it once it is enabled. A cursor from before a reset is valid, as
 * for GET /events. Raises not_found, bad_request for a cursor that no page gave or whose events are no longer kept.
 * Source: docs/domain/events.md#webhooks.
 */
export const webhookReplay: WriteHandler<'webhook_replay', { hooks: WebhookStore; feed: Feed }> = async (
  ctx,
  input,
  { hooks, feed },
) => {
  const row = await endpointOf(ctx, input.id, hooks);
  const { ws, _id } = row;
  const seq = input.cursor === undefined ? (await feed.oldest(ws)) - 1 : await placeAfter(feed, ws, input.cursor);
  if (seq === 'foreign') throw badRequest([{ field: 'cursor', message: 'must be the `next` of a page of events' }]);
  if (seq === 'expired')
    throw badRequest([
      { field: 'cursor', message: 'is older than what is kept; leave it out to send everything that is' },
    ]);

  return change(await answered(ctx, { ...row, seq }, hooks), {
    save: (tx) => hooks.webhooks.change(tx, row, { seq }),
    audit: [{ ws, actor: actorOf(ctx), action: 'webhook.replayed', object: _id, payload: { after: seq } }],
  });
};
