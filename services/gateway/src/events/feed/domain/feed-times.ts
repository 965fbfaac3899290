/**
 * How long after its commit an event waits for the version before it, which another replica has. An older version that
 * comes later is left out, since the newer one has the whole state (docs/reliability.md#events-feed).
 */
export const EARLIER_VERSION_MS = 60_000;

/** How long one stream of events lasts, and how often it says that it lives (docs/domain/events.md#events, default). */
export const STREAM_MS = 300_000;
export const HEARTBEAT_MS = 15_000;
