import { createHash } from 'node:crypto';
import type { Command } from '@cds/contracts';
import { canonicalJson } from '../pure/canonical-json.js';

/** The version of the form that request fingerprints are computed from. */
const FINGERPRINT_VERSION = 'r1:';

/** SHA-256 of an API key's id and an Idempotency-Key: the identity of a write (docs/reliability.md#idempotency). */
export const commandId = (keyId: string, idempotencyKey: string): string =>
  createHash('sha256').update(`${keyId}|${idempotencyKey}`).digest('hex');

export const requestFingerprint = (operation: string, input: Record<string, unknown>): string =>
  FINGERPRINT_VERSION +
  createHash('sha256')
    .update(canonicalJson([operation, input]))
    .digest('base64url');

/** The identity of a write without an Idempotency-Key: one attempt at one operation. */
export const attemptCommand = (attemptId: string, operation: string, input: Record<string, unknown>): Command => ({
  id: createHash('sha256').update(`attempt|${attemptId}|${operation}`).digest('hex'),
  fp: requestFingerprint(operation, input),
});
