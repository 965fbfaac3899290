/** What the benchmark measures of this service by itself, and the simulation runs. */

export { type Credential, newKey, storedSecret } from '../accounts/keys/key-format.js';
export { KeyAdmission } from '../accounts/keys/store/key-admission.js';
export { type KeyChange, type KeyRow, Keys } from '../accounts/keys/store/keys.js';
export { Windows } from '../edge/store/windows.js';
export { ownProtocol, SMALL_CALL, sdkProtocol } from './mcp-protocol.js';
