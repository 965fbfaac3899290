export { proves } from '@cds/contracts/testing';
export { Frames } from '../bus/frames.js';
export * from './context.js';
export * from './deliver.js';
export * from './hostile-texts.js';
export * from './nats.js';
export * from './store.js';
export * from './tls-host.js';
