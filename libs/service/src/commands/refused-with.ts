import { AppError } from '@cds/contracts';
import type { Tx } from '../store/in-tx.js';

/** A refusal with something to store beside its record, both in one commit. `receiptId` is of what is stored. */
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
