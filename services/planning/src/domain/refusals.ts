import { AppError, type ConflictReason, type Refusal } from '@cds/contracts';

/** A 409 as a value: what is in the way, and the numbers that say by how much. */
export const conflictRefusal = (
  reason: ConflictReason,
  message: string,
  details: Record<string, unknown> = {},
): Refusal => ({ code: 'conflict', reason, message, details });

/** A 422 that names each value that cannot be used (docs/specification.md#errors). */
export const unusable = (problems: readonly { field: string; message: string }[]): AppError =>
  new AppError('unprocessable', 'Some values cannot be used. See details.problems.', { problems });
