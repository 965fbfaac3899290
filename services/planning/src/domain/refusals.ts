import type { ConflictReason, Refusal } from '@cds/contracts';

export const conflictRefusal = (
  reason: ConflictReason,
  message: string,
  details: Record<string, unknown> = {},
): Refusal => ({ code: 'conflict', reason, message, details });
