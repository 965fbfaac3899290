import type { BaseShell, PostOutside, WriteShell } from '@cds/service';
import type { PeopleModule } from '../../accounts/port.js';
import type { Feed } from '../feed/store/feed.js';
import type { WebhookDeliveries } from './store/webhook-deliveries.js';
import type { WebhookLanes } from './store/webhook-lanes.js';
import type { Webhooks } from './store/webhooks.js';

export type WebhookStore = { webhooks: Webhooks; deliveries: WebhookDeliveries; lanes: WebhookLanes };

export type WebhookWork = WebhookStore & {
  shell: WriteShell & Pick<BaseShell, 'log' | 'failpoints'>;
  feed: Pick<Feed, 'headsOf' | 'next'>;
  people: Pick<PeopleModule, 'appUrl' | 'members' | 'people' | 'messages' | 'workspaces'>;
  outside?: PostOutside;
};
