import { eventsList } from './feed/operations/events-list.js';
import { eventsStream } from './feed/operations/events-stream.js';
import { webhookDeliveries } from './webhooks/operations/webhook-deliveries.js';
import { webhookEnable } from './webhooks/operations/webhook-enable.js';
import { webhookMake } from './webhooks/operations/webhook-make.js';
import { webhookRemove } from './webhooks/operations/webhook-remove.js';
import { webhookReplay } from './webhooks/operations/webhook-replay.js';
import { webhookRotate } from './webhooks/operations/webhook-rotate.js';
import { webhookTest } from './webhooks/operations/webhook-test.js';
import { webhooksList } from './webhooks/operations/webhooks-list.js';

/** The operations of events. */
export const eventsHandlers = {
  eventsList,
  eventsStream,
  webhookDeliveries,
  webhookEnable,
  webhookMake,
  webhookRemove,
  webhookReplay,
  webhookRotate,
  webhookTest,
  webhooksList,
};
