// What other modules may use of events; they import nothing else of it.

export { resetFact } from './feed/domain/feed-events.js';
export { eventOf, Feed, RESET_REMOVES } from './feed/store/feed.js';
export { FeedStreams, streamCallerOf } from './feed/store/feed-streams.js';
export type { Events } from './module.js';
export type { WebhookStore } from './webhooks/deps.js';
export { lanesOf } from './webhooks/domain/webhook-message.js';
