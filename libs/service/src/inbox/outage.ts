import { AppError } from '@cds/contracts';
import { NoReplyError } from '../bus/mux.js';
import { isDatabaseAway } from '../store/away.js';

const OUTAGES: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'ClosedConnectionError',
  'ConnectionError',
  'NoRespondersError',
  'MongoOperationTimeoutError',
]);

/**
 * Whether an event could not be applied because something it needs is away or slow: the database, the bus, another
 * service, the time. It says nothing about the event or its handler, so it never counts against the event.
 */
export const isOutage = (error: unknown): boolean => {
  if (isDatabaseAway(error) || error instanceof NoReplyError) return true;
  if (error instanceof AppError) return error.code === 'unavailable';
  return error instanceof Error && (OUTAGES.has(error.name) || isOutage(error.cause ?? null));
};
