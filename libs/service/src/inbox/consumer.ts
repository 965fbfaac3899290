import type { EventName, EventPayload } from '@cds/contracts';
import type { Tx } from '../store/in-tx.js';

type Applied<N extends EventName> = {
  event: N;
  /** Runs after the event was applied, also if an earlier delivery applied it. */
  applied?: (payload: EventPayload<N>) => void | Promise<void>;
};

/**
 * For an event that changes several documents or causes events of its own. `apply` runs in the transaction that also
 * writes the inbox row, and changes its projection only if the payload's version is newer.
 */
export type Follower<N extends EventName = EventName> = Applied<N> & {
  apply: (tx: Tx, payload: EventPayload<N>, at: Date) => Promise<void>;
};

/**
 * For an event that changes one document by one idempotent statement, guarded by the version. The document is its own
 * inbox, so there is neither an inbox row nor a transaction (ADR 0014).
 */
type Projector<N extends EventName = EventName> = Applied<N> & {
  project: (payload: EventPayload<N>, at: Date) => Promise<void>;
};

/** What a service does with one kind of event. */
export type Consumer<N extends EventName = EventName> = Follower<N> | Projector<N>;

/** Declares a consumer, typed by its event's payload; a list of consumers holds them under their common type. */
export const consumerOf = <N extends EventName>(consumer: Consumer<N>): Consumer => consumer as unknown as Consumer;
