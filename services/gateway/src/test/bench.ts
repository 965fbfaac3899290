/** What the benchmark measures of this service by itself. */

export { newKey, storedSecret } from '../keys/key-format.js';
export { Batcher } from '../store/batcher.js';
export { type Batch, batchedFields, windowFields } from '../store/window.js';
export { ownProtocol, SMALL_CALL, sdkProtocol } from './mcp-protocol.js';
