import type { ConflictReason, Refusal } from '@cds/contracts';

/** A 409 as a value: what is in the way, and the numbers that say by how much. */
export const conflictRefusal = (
  reason: ConflictReason,
  message: string,
  details: Record<string, unknown> = {},
): Refusal => ({ code: 'conflict', reason, message, details });
