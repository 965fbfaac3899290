/** What the benchmark measures of this service by itself. */

export { newWorkspace } from '../brands/seed-workspace.js';
export { RequestLog } from '../edge/request-log.js';
export { newKey, readKey, storedSecret } from '../keys/key-format.js';
export { keyRow } from '../keys/key-rows.js';
export { Batcher } from '../store/batcher.js';
export { KeyAdmission } from '../store/key-admission.js';
export { Keys } from '../store/keys.js';
export { RequestLogRows } from '../store/request-log.js';
export { Usage } from '../store/usage.js';
export { type Batch, batchedFields, windowFields } from '../store/window.js';
export { ownProtocol, SMALL_CALL, sdkProtocol } from './mcp-protocol.js';
