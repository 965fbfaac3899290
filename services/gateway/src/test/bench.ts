/** What the benchmark measures of this service by itself. */

export { newKey, storedSecret } from '../accounts/keys/key-format.js';
export { Batcher } from '../accounts/keys/store/batcher.js';
export { type Batch, batchedFields, windowFields } from '../edge/store/window.js';
export { ownProtocol, SMALL_CALL, sdkProtocol } from './mcp-protocol.js';
