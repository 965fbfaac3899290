export * from './compose-quote.js';
export * from './mandate-verdict.js';
