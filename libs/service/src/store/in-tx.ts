import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import { Deadline, DeadlineOver, untilAborted } from '../deadline/deadline.js';
import { counterOf } from '../telemetry/metrics.js';
import { inStatementSpan } from '../telemetry/spans.js';
import { insideTransaction, runInside } from './inside.js';
import type { Store } from './store.js';

/** Limits of one try, of all tries and of the commit, in milliseconds (docs/reliability.md#deadlines). */
const ONE_TRY_MS = 5_000;
const ALL_TRIES_MS = 15_000;
const COMMIT_MS = 5_000;
/** How long a failed try waits for its transaction to end; its locks could block the next try. */
const ABORT_MS = 500;

const ended = counterOf('cds_transactions_total');
const retries = counterOf('cds_transaction_retries_total');

/** A running transaction. Its statements take `tx.options()` and run one after the other, in the time of the try. */
export type Tx = {
  readonly session: mongo.ClientSession;
  options(): { session: mongo.ClientSession };
  /** Runs `work` after the commit; never after an aborted try. */
  committed(work: () => void): void;
  /**
   * Undoes what was done before a transaction that failed; skipped when the commit's outcome is unknown, so whatever it
   * undoes must also expire.
   */
  aborted(work: () => Promise<void>): void;
};

/**
 * Retries transient errors until the deadline, so `body` may run several times. A commit whose outcome is unknown by
 * then throws unavailable (docs/reliability.md#mongodb).
 */
export const inTx = async <T>(store: Store, deadline: Deadline, body: (tx: Tx) => Promise<T>): Promise<T> => {
  if (insideTransaction()) throw new Error('a transaction was started inside a transaction');
  const all = deadline.atMost(ALL_TRIES_MS);

  for (let tries = 0; ; tries += 1) {
    all.check();
    const one = all.atMost(ONE_TRY_MS);
    const session = store.session();
    const open: Open = { session, committing: undefined };
    const undos: (() => Promise<void>)[] = [];
    try {
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority', journal: true },
        readPreference: 'primary',
        maxCommitTimeMS: COMMIT_MS,
      });
      const afterwards: (() => void)[] = [];
      const tx: Tx = {
        session,
        options: () => ({ session }),
        committed: (work) => void afterwards.push(work),
        aborted: (work) => void undos.push(work),
      };
      const result = await runInside(() => one.run(() => body(tx)));
      all.check();
      await inStatementSpan('commitTransaction', '', () => commit(open, all));
      ended.add(1, { outcome: 'committed' });
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      await endSession(open);
      const again = isLabelled(error, 'TransientTransactionError');
      const final = !again || all.remainingMs() <= 0;
      if (final) ended.add(1, { outcome: again ? 'busy' : open.committing === undefined ? 'aborted' : 'unknown' });
      if (final && open.committing === undefined) for (const work of undos) await undo(work);
      if (!again) throw error;
      if (final) throw unavailable('The database is busy. Retry in a moment with the same Idempotency-Key.', 1, error);
      retries.add(1);
      await delay(Math.min(2 ** tries, 64) * Math.random());
    } finally {
      await endSession(open);
    }
  }
};

/** Runs an undo outside the request's deadline, which may be over. */
const undo = (work: () => Promise<void>): Promise<void> => Deadline.detached(work).catch(() => undefined);

type Open = { session: mongo.ClientSession; committing: Promise<void> | undefined; end?: Promise<void> };

/** The driver takes no signal here: the server bounds the commit by `maxCommitTimeMS`, the deadline only the wait. */
const commit = async (open: Open, deadline: Deadline): Promise<void> => {
  for (;;) {
    try {
      await deadline.during((signal) => {
        open.committing = open.session.commitTransaction();
        return untilAborted(open.committing, signal);
      });
      return;
    } catch (error) {
      const over = error instanceof DeadlineOver || deadline.remainingMs() <= 0;
      if (!over && isLabelled(error, 'UnknownTransactionCommitResult')) continue;
      if (!over || !isUnknown(error)) throw error;
      throw unavailable(
        'It is not yet known whether the write was saved. Retry with the same Idempotency-Key.',
        1,
        error,
      );
    }
  }
};

const isUnknown = (error: unknown): boolean =>
  error instanceof DeadlineOver || isLabelled(error, 'UnknownTransactionCommitResult');

/** Waits only a moment for the server, which cleans up by itself (`transactionLifetimeLimitSeconds`). */
const endSession = async (open: Open): Promise<void> => {
  open.end ??= (async () => {
    // An abandoned commit still uses the session.
    await open.committing?.catch(() => undefined);
    await open.session.endSession().catch(() => undefined);
  })();
  if (!open.session.inTransaction()) return open.end;
  await Promise.race([open.end, delay(ABORT_MS, undefined, { ref: false })]);
};

const isLabelled = (error: unknown, label: string): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel(label);
