import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import type { Deadline } from '../bus/deadline.js';
import { insideTransaction, runInside } from './inside.js';
import type { Store } from './store.js';

/** One try of a transaction, all its retries, and its commit, in milliseconds (reliability 3.20). */
const ONE_TRY_MS = 5_000;
const ALL_TRIES_MS = 15_000;
const COMMIT_MS = 5_000;

/** A running transaction. Every statement in it takes `tx.options()`; statements run one after the other. */
export type Tx = {
  readonly session: mongo.ClientSession;
  options(): { session: mongo.ClientSession; maxTimeMS: number };
  /** Leaves work for the moment after the commit; of a try that is aborted nothing runs. */
  committed(work: () => void): void;
  /**
   * Leaves work for the moment after the transaction failed for good, to undo what was done before it. It is skipped when
   * the fate of the commit is unknown, and its own failure is not reported: what it undoes must also expire by itself.
   */
  aborted(work: () => Promise<void>): void;
};

/**
 * Runs `body` in a transaction, snapshot and majority, and tries again on transient errors until the deadline; the
 * driver's own loop would go on for 120 s. `body` may run several times and builds its documents anew each time. A
 * commit whose fate is unknown at the deadline is unavailable, never a failure (reliability 3.15).
 */
export const inTx = async <T>(store: Store, deadline: Deadline, body: (tx: Tx) => Promise<T>): Promise<T> => {
  if (insideTransaction()) throw new Error('a transaction was opened inside a transaction');
  const all = deadline.atMost(ALL_TRIES_MS);

  for (let tries = 0; ; tries += 1) {
    all.check();
    const one = all.atMost(ONE_TRY_MS);
    const session = store.client.startSession();
    const undoing: (() => Promise<void>)[] = [];
    let committing = false;
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
        options: () => ({ session, maxTimeMS: Math.max(1, one.remainingMs()) }),
        committed: (work) => void afterwards.push(work),
        aborted: (work) => void undoing.push(work),
      };
      const result = await runInside(() => body(tx));
      all.check();
      committing = true;
      await commit(session, all);
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
      const again = isLabelled(error, 'TransientTransactionError');
      const final = !again || all.remainingMs() <= 0;
      if (final && !committing) for (const work of undoing) await work().catch(() => undefined);
      if (!again) throw error;
      if (final) throw unavailable('The database is busy. Retry in a moment with the same Idempotency-Key.', 1, error);
      await delay(Math.min(2 ** tries, 64) * Math.random());
    } finally {
      await session.endSession();
    }
  }
};

const commit = async (session: mongo.ClientSession, deadline: Deadline): Promise<void> => {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isLabelled(error, 'UnknownTransactionCommitResult')) throw error;
      if (deadline.remainingMs() <= 0)
        throw unavailable(
          'Whether the write was kept is not known yet. Retry with the same Idempotency-Key.',
          1,
          error,
        );
    }
  }
};

const isLabelled = (error: unknown, label: string): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel(label);
