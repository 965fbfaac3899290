export { acceptUrl } from './accept-url.js';
export * from './compose-quote.js';
export * from './mandate-verdict.js';
