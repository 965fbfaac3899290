import versions from './engines.json' with { type: 'json' };

/**
 * The versions of the engines, for services, tools, manifests and documents alike: `least` is the oldest that the
 * system runs on, `production` the oldest that keeps its promises there (nats-server 2.9 cannot sync each event to
 * disk), `shipped` what compose and Kubernetes run, and `tested` what the suites run where the launcher builds it.
 */
export const ENGINE_VERSIONS = versions;
