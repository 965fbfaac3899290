import { mongo } from 'mongoose';

const server = (code: number, message: string, errorLabels: string[] = []): Error =>
  new mongo.MongoServerError({ message, code, errorLabels, ok: 0 });

export const TRANSIENT = 'TransientTransactionError';
export const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';

export const writeConflict = (): Error => server(112, 'WriteConflict error: this operation conflicted', [TRANSIENT]);
export const noSuchTransaction = (): Error => server(251, 'Given transaction number has been aborted', [TRANSIENT]);
export const timeIsOver = (): Error => server(50, 'operation exceeded time limit');
export const duplicateKey = (collection: string, index: string): Error =>
  server(11000, `E11000 duplicate key error collection: ${collection} index: ${index}`);

/** A connection that broke: what the statement did is not known. */
export const networkError = (...labels: string[]): Error => {
  const error = new mongo.MongoNetworkError('connection closed');
  for (const label of labels) error.addErrorLabel(label);
  return error;
};

/** A statement that must wait until a transaction of somebody else has ended; it is never seen outside. */
export class Blocked extends Error {}
