/** Starts a process. Only its own start imports this: it loads 1,500 modules that no rule, store or test needs. */
export * from '../telemetry/telemetry.js';
export * from './health.js';
export * from './service.js';
