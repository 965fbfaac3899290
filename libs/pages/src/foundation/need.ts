import { AppError } from '@cds/contracts';
import type { Outcome } from '../port.js';

/** The value of an operation that the whole page depends on. Raises its refusal. */
export const need = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  throw new AppError(outcome.error.code, outcome.error.message, outcome.error.details);
};
