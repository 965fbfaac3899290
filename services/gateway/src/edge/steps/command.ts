import type { Command, OperationDeclaration } from '@cds/contracts';
import { commandId, idempotencyConflict, keptDays, requestFingerprint } from '@cds/service';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import { checkQuota, WRITE_QUOTA } from '../quota.js';
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
 * limit only retries are let through: what they are about was counted, and its answer is kept. Returns whether it
 * counted. Raises rate_limited (daily_writes).
 */
const countWrite = async (
  edge: Edge,
  exchange: Exchange,
  { principal }: Caller,
  { id, fp }: Command,
  explicit: Record<string, unknown>,
): Promise<boolean> => {
  const { key, parent, person } = principal;
  if (key === '' || person !== undefined) return false;
  const uses = Math.ceil(Buffer.byteLength(JSON.stringify(explicit)) / WRITE_BYTES);
  const used = await edge.quotas.use(WRITE_QUOTA, parent?.key ?? key, uses);
  if (!used.refused) return true;
  if (await edge.claims.wasCounted(id, fp, exchange.deadline.remainingMs())) return false;
  const scope = parent === undefined ? WRITE_QUOTA.scope : 'parent';
  checkQuota(used, { ...WRITE_QUOTA, scope, ...(uses > 1 && { has: tooLarge(uses) }) });
  return false;
};

const tooLarge = (uses: number): string =>
  `write counts as ${uses} of the key's ${WRITE_QUOTA.limit} writes of a day, and fewer are left of today's`;

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
  const command = { id: commandId(caller.commandOwner, key), fp: requestFingerprint(operation.name, explicit) };
  const isCounted = await countWrite(edge, exchange, caller, command, explicit);
  const counted = isCounted ? { fp: command.fp, keptMs: keptDays(operation.name) * DAY_MS } : null;
  const { id } = command;
  const owner = await edge.claims.take(
    id,
    operation.service,
    { keptMs: KEPT_MS, counted },
    exchange.deadline.remainingMs(),
  );
  if (owner !== operation.service) throw idempotencyConflict();
  return command;
};
