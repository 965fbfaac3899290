export { type Client, createClient, type RawRequest } from './client.js';
export * from './errors.js';
export type * from './event-data.js';
export type { CdsEvent, EventFeed, EventKind, FollowOptions } from './events.js';
export type { ConflictReason, ErrorCode, MandateReason } from './generated/errors.js';
export type { Methods, PagedMethods } from './generated/methods.js';
export type * from './generated/operations.js';
export type * from './generated/resources.js';
export { API_VERSION } from './generated/routes.js';
export type { Answer, CallOptions, ClientOptions, Clock, RateWindow, RetryNotice, RetryOptions } from './options.js';
export type { Pages } from './paging.js';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhooks.js';
