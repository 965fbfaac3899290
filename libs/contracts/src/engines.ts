import versions from './engines.json' with { type: 'json' };

/**
 * `production` is the oldest that keeps the system's promises; nats-server before 2.12 has no counters. `tested` is
 * what the suites run where the launcher builds it.
 */
export const ENGINE_VERSIONS = versions;
