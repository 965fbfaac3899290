import type { Command, OperationDeclaration } from '@cds/contracts';
import { commandId, idempotencyConflict, requestFingerprint } from '@cds/service';
import type { Caller } from './caller.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';

const DAY_MS = 86_400_000;
/** The longest that a service keeps the answer of a write (reliability 3.2); a claim lives as long. */
const KEPT_MS = 30 * DAY_MS;

/**
 * The part of check 11 that no service can know: an Idempotency-Key belongs to the service it was first used at. Answers
 * the command that the owning service keeps its record under, or null for a read and a write without a key.
 */
export const commandStage = async (
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  operation: OperationDeclaration,
  key: string | null,
  explicit: Record<string, unknown>,
): Promise<Command | null> => {
  if (key === null) return null;
  const id = commandId(caller.commandOwner, key);
  const owner = await edge.claims.take(id, operation.service, KEPT_MS, exchange.deadline.remainingMs());
  if (owner !== operation.service) throw idempotencyConflict();
  return { id, fp: requestFingerprint(operation.name, explicit) };
};
