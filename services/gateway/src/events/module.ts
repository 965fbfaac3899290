import type { RowRunner, Shell, Sweep } from '@cds/service';
import type { Accounts, MadeWebhooks } from '../accounts/port.js';
import type { GatewayConfig } from '../config.js';
import { FeedWatch } from './feed/feed-watch.js';
import { KeysInFeed } from './feed/keys-in-feed.js';
import { limitsReached } from './feed/limits-reached.js';
import { mandateFeed } from './feed/mandates-in-feed.js';
import { Feed } from './feed/store/feed.js';
import { FeedStreams } from './feed/store/feed-streams.js';
import { WebhookFanOut } from './webhooks/fan-out.js';
import { WebhookSender } from './webhooks/sender.js';
import { WebhookDeliveries } from './webhooks/store/webhook-deliveries.js';
import { WebhookLanes } from './webhooks/store/webhook-lanes.js';
import { Webhooks } from './webhooks/store/webhooks.js';

export { onFeedEvents } from './feed/feed-followed.js';

export const eventsOf = ({ store }: Shell<'gateway'>, config: GatewayConfig) => {
  const feed = new Feed(store);
  const hooks = {
    webhooks: new Webhooks(store, config.CDS_SEAL_KEYS, config.CDS_WEBHOOK_ALLOW_LOOPBACK === '1'),
    deliveries: new WebhookDeliveries(store),
    lanes: new WebhookLanes(store),
  };
  const madeWebhooks: MadeWebhooks = {
    madeBy: (workspaces, actor) => hooks.webhooks.madeBy(workspaces, actor),
    remove: async (tx, { _id, ws }) => {
      await hooks.webhooks.remove(tx, { _id, ws });
      await hooks.lanes.forget(tx, ws, _id);
    },
  };
  return {
    feed,
    feedWatch: new FeedWatch((workspaces) => feed.headsOf(workspaces)),
    feedStreams: new FeedStreams(store),
    mandateFeed: mandateFeed(feed),
    limitsReached: limitsReached(feed, store),
    hooks,
    madeWebhooks,
  };
};
export type Events = ReturnType<typeof eventsOf>;

/** The background work: deliveries are made and sent, and the feed is completed. `stop` leaves it to other replicas. */
export const eventsWork = (
  { feed, hooks }: Events,
  { keys, mandates, people }: Accounts,
  shell: Shell<'gateway'>,
  rows: () => RowRunner,
): { sweeps: Sweep[]; stop: () => Promise<unknown> } => {
  const work = { shell, ...hooks, feed, people };
  const sender = new WebhookSender(work);
  const fanOut = new WebhookFanOut(work, () => sender.wake());
  const keysInFeed = new KeysInFeed({ keys, mandates, store: shell.store }, rows());
  return {
    sweeps: [fanOut.sweep(), sender.sweep(), keysInFeed.sweep()],
    stop: () => Promise.all([fanOut.stop(), sender.stop(), keysInFeed.stop()]),
  };
};
