import type { EventName, EventPayload } from '@cds/contracts';
import type { Tx } from '../store/in-tx.js';

type Applied<N extends EventName> = {
  event: N;
  /** Runs once the fact is applied; also when it was applied before. */
  applied?: (payload: EventPayload<N>) => void | Promise<void>;
};

/**
 * A fact that changes several documents or raises facts of its own: `apply` runs inside the transaction that also writes
 * the inbox row, and changes its projection only when the payload's version is newer.
 */
export type Follower<N extends EventName = EventName> = Applied<N> & {
  apply: (tx: Tx, payload: EventPayload<N>, at: Date) => Promise<void>;
};

/**
 * A fact that changes one document by one statement which is idempotent by itself, as a guard on its version makes it:
 * the document is its own inbox, so there is neither a row nor a transaction (ADR 0014).
 */
export type Projector<N extends EventName = EventName> = Applied<N> & {
  project: (payload: EventPayload<N>, at: Date) => Promise<void>;
};

/** What a service does with one kind of fact. */
export type Consumer<N extends EventName = EventName> = Follower<N> | Projector<N>;

/** Declares a consumer with its payload's type. */
export const consumerOf = <N extends EventName>(consumer: Consumer<N>): Consumer => consumer as unknown as Consumer;
