/** How far ahead a mandate may end (docs/domain/orders.md#mandate). */
export const MAX_MANDATE_DAYS = 366;

/** The first mandate of a workspace's own agent key (docs/domain/orders.md#mandate, assumption). */
export const OWN_AGENT = { max_plan_cents: 10_000_000, monthly_cap_cents: 30_000_000 } as const;

/** Active keys of one workspace (docs/domain/access.md#developers-area). */
export const MAX_ACTIVE_KEYS = 50;

/** How far ahead the child of a key without an expiry may end (docs/domain/access.md#child-keys). */
export const MAX_CHILD_KEY_DAYS = 366;

/** Sandbox workspaces of one brand (docs/domain/access.md#developers-area, assumption). */
export const MAX_SANDBOXES = 10;

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * How long after its commit an event waits for the version before it, which another replica has. An older version that
 * comes later is left out, since the newer one has the whole state (docs/reliability.md#events-feed).
 */
export const EARLIER_VERSION_MS = 60_000;

/** The longest that GET /events waits for an event (docs/domain/access.md#events). */
export const FEED_WAIT_MS = 20_000;

/** How long one stream of events lasts, and how often it says that it lives (docs/domain/access.md#events, default). */
export const STREAM_MS = 300_000;
export const HEARTBEAT_MS = 15_000;

/** Faults that may be armed in one sandbox at once (docs/domain/access.md#faults, assumption). */
export const MAX_FAULTS = 100;

/** Webhook endpoints of one workspace, and secrets of one that sign at once (docs/domain/access.md#webhooks). */
export const MAX_WEBHOOKS = 10;
export const MAX_WEBHOOK_SECRETS = 5;
/** Tests of one endpoint that wait at once. */
export const MAX_WEBHOOK_TESTS = 10;
