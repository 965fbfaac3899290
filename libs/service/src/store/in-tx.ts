import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import { abandoned, Deadline, DeadlineOver } from '../bus/deadline.js';
import { insideTransaction, runInside } from './inside.js';
import type { Store } from './store.js';

/** One try of a transaction, all its retries, and its commit, in milliseconds (reliability 3.20). */
const ONE_TRY_MS = 5_000;
const ALL_TRIES_MS = 15_000;
const COMMIT_MS = 5_000;
/** How long a failed try waits until its transaction is gone; its locks may be in the way of the next one. */
const ABORT_MS = 500;

/**
 * A running transaction. Every statement in it takes `tx.options()`; statements run one after the other, each with what
 * is left of the try.
 */
export type Tx = {
  readonly session: mongo.ClientSession;
  options(): { session: mongo.ClientSession };
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
    const session = store.session();
    const open: Open = { session, committing: undefined };
    const undoing: (() => Promise<void>)[] = [];
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
        aborted: (work) => void undoing.push(work),
      };
      const result = await runInside(() => one.run(() => body(tx)));
      all.check();
      await commit(open, all);
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      await ended(open);
      const again = isLabelled(error, 'TransientTransactionError');
      const final = !again || all.remainingMs() <= 0;
      if (final && open.committing === undefined) for (const work of undoing) await undone(work);
      if (!again) throw error;
      if (final) throw unavailable('The database is busy. Retry in a moment with the same Idempotency-Key.', 1, error);
      await delay(Math.min(2 ** tries, 64) * Math.random());
    } finally {
      await ended(open);
    }
  }
};

/** Undoes in its own time: that of the request may be over. */
const undone = (work: () => Promise<void>): Promise<void> => Deadline.detached(work).catch(() => undefined);

/** A session, and its commit once that was asked for. */
type Open = { session: mongo.ClientSession; committing: Promise<void> | undefined; end?: Promise<void> };

/**
 * Commits, for as long as somebody waits. The driver takes no signal here, so the server bounds the command by
 * `maxCommitTimeMS`, and the wait ends with the deadline.
 */
const commit = async (open: Open, deadline: Deadline): Promise<void> => {
  for (;;) {
    try {
      await deadline.during((signal) => {
        open.committing = open.session.commitTransaction();
        return abandoned(open.committing, signal);
      });
      return;
    } catch (error) {
      const over = error instanceof DeadlineOver || deadline.remainingMs() <= 0;
      if (!over && isLabelled(error, 'UnknownTransactionCommitResult')) continue;
      if (!over || !isUnknown(error)) throw error;
      throw unavailable('Whether the write was kept is not known yet. Retry with the same Idempotency-Key.', 1, error);
    }
  }
};

const isUnknown = (error: unknown): boolean =>
  error instanceof DeadlineOver || isLabelled(error, 'UnknownTransactionCommitResult');

/**
 * Ends a session and the transaction that is still open in it, and waits for that a moment only: a server that does not
 * answer holds up nobody. What the server does not hear of it clears up by itself (`transactionLifetimeLimitSeconds`).
 */
const ended = async (open: Open): Promise<void> => {
  open.end ??= (async () => {
    // A commit that nobody waits for any more still holds the session.
    await open.committing?.catch(() => undefined);
    await open.session.endSession().catch(() => undefined);
  })();
  if (!open.session.inTransaction()) return open.end;
  await Promise.race([open.end, delay(ABORT_MS, undefined, { ref: false })]);
};

const isLabelled = (error: unknown, label: string): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel(label);
