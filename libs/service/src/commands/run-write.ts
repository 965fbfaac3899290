import { AppError, unavailable } from '@cds/contracts';
import type { Audit } from '../audit/audit.js';
import type { Ctx } from '../bus/context.js';
import type { Outbox } from '../outbox/outbox.js';
import { inTx, type Tx } from '../store/in-tx.js';
import { retryLostRaces } from '../store/lost-race.js';
import { isDuplicate, type Store } from '../store/store.js';
import type { Change } from './change.js';
import { type Commands, isStored, type Outcome } from './commands.js';

export type WriteShell = {
  store: Store;
  commands: Commands;
  outbox: Outbox;
  audit: Audit;
  /** Lets a write commit only while its caller may still make it. Raises unavailable; a retry gets the final answer. */
  holdCaller?: (tx: Tx, ctx: Ctx) => Promise<void>;
};

/** Runs one write under its command, if it has one (docs/reliability.md#idempotency). */
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

  const run = await shell.commands.begin(ctx, operation);
  if ('ok' in run) return run;
  try {
    // After the run began: a reset counts the runs once its row is written, so it either waits for this one or ends it.
    if (ctx.principal.sandbox) await shell.commands.resets.mustBeAfter(ctx);
    const outcome = await decideUnder(shell, ctx, operation, status, decide);
    run.end();
    return outcome;
  } catch (error) {
    // Nothing is stored, so a retry may run at once.
    await run.release();
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
    // If an earlier run outlived its lease, what that one committed may have caused this refusal, as when a
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

/** Decides and commits a change; a lost race is decided again. `recorded` writes the command's row. */
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
      await shell.holdCaller?.(tx, ctx);
      if (recorded && ctx.command !== null) await shell.commands.record(tx, ctx, operation, status, json);
      await decided.parts.save(tx);
      await shell.outbox.add(tx, decided.parts.events ?? [], ctx.networkNow);
      await shell.audit.add(tx, decided.parts.audit ?? [], ctx.networkNow);
    });
    decided.parts.committed?.();
    return { ok: true, status, replayed: false, json: Buffer.from(json) };
  });
