import { AppError } from '@cds/contracts';
import type { Tx } from '../store/in-tx.js';

/**
 * A refusal with something to store in addition to its record: both commit together, so both happen once per command.
 * `receiptId` names a receipt of what is stored, where there is one.
 */
export class RefusedWith extends AppError {
  constructor(
    error: AppError,
    readonly save: (tx: Tx) => Promise<void>,
    receiptId?: string,
  ) {
    super(error.code, error.message, error.details, {
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(receiptId === undefined ? {} : { receiptId }),
    });
  }
}
