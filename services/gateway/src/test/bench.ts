/** What the benchmark measures of this service by itself, and what the simulation and tests of the system run. */

export { type Credential, newKey, storedSecret } from '../accounts/keys/key-format.js';
export { KeyAdmission } from '../accounts/keys/store/key-admission.js';
export { type KeyChange, type KeyRow, Keys } from '../accounts/keys/store/keys.js';
export { EPOCH, Windows } from '../edge/store/windows.js';
export { ownProtocol, SMALL_CALL, sdkProtocol } from './mcp-protocol.js';
