import type { Command, OperationDeclaration } from '@cds/contracts';
import { commandId, idempotencyConflict, requestFingerprint } from '@cds/service';
import { checkQuota, WRITE_QUOTA } from '../../people/quota.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import type { Caller } from './caller.js';

const DAY_MS = 86_400_000;
/**
 * The longest that a service keeps the answer of a write (docs/reliability.md#idempotency); a claim is kept as long.
 */
const KEPT_MS = 30 * DAY_MS;

/** A write counts once for each of so many bytes of its arguments, which answers and events repeat. */
const WRITE_BYTES = 4_096;

/**
 * Counts a key's write in its day, before anything of it is stored; a child's with those of its parent. Beyond the
 * limit only retries are let through: what they are about was counted. Raises rate_limited (daily_writes).
 */
const countWrite = async (
  edge: Edge,
  exchange: Exchange,
  { principal }: Caller,
  id: string,
  explicit: Record<string, unknown>,
): Promise<void> => {
  const { key, parent, person } = principal;
  if (key === '' || person !== undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(explicit));
  const used = await edge.quotas.use(WRITE_QUOTA, parent?.key ?? key, Math.ceil(bytes / WRITE_BYTES));
  if (!used.refused || (await edge.claims.isKnown(id, exchange.deadline.remainingMs()))) return;
  checkQuota(used, parent === undefined ? WRITE_QUOTA : { ...WRITE_QUOTA, scope: 'parent' });
};

/**
 * Step 11, the part that no service can check: an Idempotency-Key belongs to the service that it was first used for.
 * Returns the command under which that service keeps its record, or null without a key.
 */
export const claimCommand = async (
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  operation: OperationDeclaration,
  key: string | null,
  explicit: Record<string, unknown>,
): Promise<Command | null> => {
  if (key === null) return null;
  const id = commandId(caller.commandOwner, key);
  await countWrite(edge, exchange, caller, id, explicit);
  const owner = await edge.claims.take(id, operation.service, KEPT_MS, exchange.deadline.remainingMs());
  if (owner !== operation.service) throw idempotencyConflict();
  return { id, fp: requestFingerprint(operation.name, explicit) };
};
