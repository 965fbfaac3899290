import { AppError, unavailable } from '@cds/contracts';
import type { Audit } from '../audit/audit.js';
import type { Ctx } from '../bus/context.js';
import type { Outbox } from '../outbox/outbox.js';
import { inTx } from '../store/in-tx.js';
import { retryLostRaces } from '../store/lost-race.js';
import { isDuplicate, type Store } from '../store/store.js';
import type { Change } from './change.js';
import { type Commands, isStored, type Outcome } from './commands.js';

/** The parts of a service's shell that every write needs. */
export type WriteShell = { store: Store; commands: Commands; outbox: Outbox; audit: Audit };

/**
 * Runs one write under its command (docs/reliability.md#idempotency): replay, lease, decide, then one transaction of
 * record, effect, events and audit. Without a command (an optional key that was left out) there is no record.
 */
export const runWrite = async <Answer>(
  shell: WriteShell,
  ctx: Ctx,
  operation: string,
  status: number,
  decide: () => Promise<Change<Answer>>,
): Promise<Outcome> => {
  if (ctx.command === null) {
    mustBeOpen(ctx);
    return commitChange(shell, ctx, operation, status, decide);
  }

  const before = await shell.commands.stored(ctx);
  if (before !== null) return before;
  const lease = await shell.commands.lease(ctx);
  try {
    // An earlier runner may have finished since the record was read.
    const ended = lease.first ? null : await shell.commands.stored(ctx);
    // After the lease: a reset counts the leases once its row is written, so it either waits for this write or ends it.
    if (ended === null && ctx.principal.sandbox) await shell.commands.resets.mustBeAfter(ctx);
    const outcome = ended ?? (await decideUnder(shell, ctx, operation, status, decide));
    // The record exists, so a repeat replays it; nobody has to wait until the lease is gone.
    void lease.release();
    return outcome;
  } catch (error) {
    // Nothing is stored, so a retry may run at once.
    await lease.release();
    throw error;
  }
};

const decideUnder = async <Answer>(
  shell: WriteShell,
  ctx: Ctx,
  operation: string,
  status: number,
  decide: () => Promise<Change<Answer>>,
): Promise<Outcome> => {
  try {
    mustBeOpen(ctx);
    return await commitChange(shell, ctx, operation, status, decide);
  } catch (error) {
    if (isDuplicate(error)) return shell.commands.mustBeStored(ctx);
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    if (isStored(error)) return shell.commands.refuse(ctx, operation, error);
    // If the lease expired under an earlier runner, what that one committed may have caused this refusal, as when a
    // delete finds nothing left to delete. Its record is then the answer.
    const ended = await shell.commands.stored(ctx);
    if (ended === null) throw error;
    return ended;
  }
};

/** Throws unavailable while the operator has closed brand writes. Checked after the replay. */
export const mustBeOpen = (ctx: Ctx): void => {
  if (!ctx.switches.writes_open && ['brand', 'person'].includes(ctx.principal.audience))
    throw unavailable('Writes are closed for maintenance; reads still work. Retry in a minute.', 60);
};

/**
 * Decides and commits a change with its events and audit; a lost race is decided again. `recorded` writes the command's
 * row.
 */
export const commitChange = <Answer>(
  shell: WriteShell,
  ctx: Ctx,
  operation: string,
  status: number,
  decide: () => Promise<Change<Answer>>,
  recorded = true,
): Promise<Outcome> =>
  retryLostRaces(ctx.deadline, async () => {
    const decided = await decide();
    const json = JSON.stringify(decided.answer);
    await inTx(shell.store, ctx.deadline, async (tx) => {
      if (recorded && ctx.command !== null) await shell.commands.record(tx, ctx, operation, status, json);
      await decided.parts.save(tx);
      await shell.outbox.add(tx, decided.parts.events ?? [], ctx.networkNow);
      await shell.audit.add(tx, decided.parts.audit ?? [], ctx.networkNow);
    });
    decided.parts.committed?.();
    return { ok: true, status, replayed: false, json: Buffer.from(json) };
  });
