export * from './context.js';
export * from './store.js';
