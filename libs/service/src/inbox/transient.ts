import { AppError } from '@cds/contracts';
import { NoReplyError } from '../bus/mux.js';
import { isDatabaseUnavailable } from '../store/database-unavailable.js';
import { LostRace } from '../store/lost-race.js';

const TRANSIENT_ERRORS: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'ClosedConnectionError',
  'ConnectionError',
  'NoRespondersError',
  'MongoOperationTimeoutError',
]);

/** A reason that passes says nothing about the event or its handler, so it does not count as a failure. */
export const isTransient = (error: unknown): boolean => {
  if (isDatabaseUnavailable(error) || error instanceof NoReplyError || error instanceof LostRace) return true;
  if (error instanceof AppError) return error.code === 'unavailable';
  return error instanceof Error && (TRANSIENT_ERRORS.has(error.name) || isTransient(error.cause ?? null));
};
