import mongoose, { mongo } from 'mongoose';
import { DeadlineOver } from '../deadline/deadline.js';

/** Server errors that pass: stepping down, shutting down, out of time, no quorum. */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 112, 189, 246, 251, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** What the socket itself says when the server's end of it has just gone: the driver passes these on as they are. */
const LOST_SOCKET: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET']);

/** Whether an error means that the database is unavailable or busy, so that a retry may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (
    error instanceof DeadlineOver ||
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongo.MongoNotConnectedError ||
    error instanceof mongo.MongoExpiredSessionError
  )
    return true;
  if (
    error instanceof mongo.MongoError &&
    (error.hasErrorLabel('TransientTransactionError') ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('UnknownTransactionCommitResult'))
  )
    return true;
  // A bulk write, which every insertMany is, wraps a lost connection in a server error without a code.
  if (error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error)
    return isDatabaseUnavailable(error.errorResponse);
  if (error instanceof mongo.MongoServerError)
    return typeof error.code === 'number' && UNAVAILABLE_CODES.has(error.code);
  if (error instanceof mongo.MongoWriteConcernError) return true;
  if (error instanceof mongo.MongoError && /pool|topology|interrupted|closed/i.test(error.message)) return true;
  if (error instanceof Error && 'code' in error && LOST_SOCKET.has(error.code)) return true;
  return error instanceof mongoose.Error && /buffer|connect/i.test(error.message);
};
