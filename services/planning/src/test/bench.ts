/** What the benchmark measures of this service by itself. */
export { type Terms, withFingerprint } from '../domain/approval/fingerprint.js';
export { choose } from '../domain/builder/build.js';
