import versions from './engines.json' with { type: 'json' };

/**
 * `production` is the oldest that keeps the system's promises: nats-server 2.9 cannot sync each event to disk. `tested`
 * is what the suites run where the launcher builds it.
 */
export const ENGINE_VERSIONS = versions;
