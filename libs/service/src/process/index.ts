/**
 * Starts a process: Nest, the HTTP server and telemetry. Only a process's own start imports it, because it loads some
 * 1,500 modules that no rule, store or test needs.
 */
export * from '../telemetry/telemetry.js';
export * from './health.js';
export * from './service.js';
