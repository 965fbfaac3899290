/** What the benchmark measures of this service by itself. */
export { newKey, storedSecret } from '../keys/key-format.js';
export { Gatherer } from '../store/gatherer.js';
export { type Batch, gatheredFields, windowFields } from '../store/window.js';
