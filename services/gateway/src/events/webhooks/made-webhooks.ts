import type { MadeWebhooks } from '../../accounts/port.js';
import type { WebhookStore } from './deps.js';

/** The endpoints that somebody made, as the rights of people end them. */
export const madeWebhooks = ({ webhooks, lanes }: Pick<WebhookStore, 'webhooks' | 'lanes'>): MadeWebhooks => ({
  madeBy: (workspaces, actor) => webhooks.madeBy(workspaces, actor),
  remove: async (tx, { _id, ws }) => {
    await webhooks.remove(tx, { _id, ws });
    await lanes.forget(tx, ws, _id);
  },
});
