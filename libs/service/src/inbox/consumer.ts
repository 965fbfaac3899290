import type { EventName, EventPayload } from '@cds/contracts';
import type { Tx } from '../store/in-tx.js';

/** An event as a consumer gets it; `committedAt` is when it happened, null if it was republished. */
export type Arrived<N extends EventName = EventName> = { payload: EventPayload<N>; committedAt: Date | null };

type Common<N extends EventName> = {
  event: N;
  /** Whether the event can change anything here, by its payload alone; if not, it costs no statement. */
  concerns?: (payload: EventPayload<N>) => boolean;
  /** Runs once after events that arrived together were applied, also if an earlier delivery applied them. */
  applied?: (payloads: readonly EventPayload<N>[]) => void | Promise<void>;
};

/**
 * Several documents, or events of its own. `apply` runs in the transaction of the inbox row; `at` is database time.
 * `applyAll` takes events that arrived together, in their order, several perhaps of one aggregate.
 */
export type Follower<N extends EventName = EventName> = Common<N> &
  (
    | { apply: (tx: Tx, payload: EventPayload<N>, at: Date, committedAt: Date | null) => Promise<void> }
    | { applyAll: (tx: Tx, events: readonly Arrived<N>[], at: Date) => Promise<void> }
  );

/** One document by one idempotent statement, guarded by the version: neither inbox row nor transaction (ADR 0014). */
export type Projector<N extends EventName = EventName> = Common<N> &
  (
    | { project: (payload: EventPayload<N>, at: Date) => Promise<void> }
    | { projectAll: (payloads: readonly EventPayload<N>[], at: Date) => Promise<void> }
  );

export type Consumer<N extends EventName = EventName> = Follower<N> | Projector<N>;

export const consumerOf = <N extends EventName>(consumer: Consumer<N>): Consumer => consumer as unknown as Consumer;

export const isProjector = (consumer: Consumer): consumer is Projector =>
  'project' in consumer || 'projectAll' in consumer;

export const applyTo = async (tx: Tx, follower: Follower, events: readonly Arrived[], at: Date): Promise<void> => {
  if ('applyAll' in follower) return follower.applyAll(tx, events, at);
  for (const { payload, committedAt } of events) await follower.apply(tx, payload, at, committedAt);
};

export const projectTo = async (projector: Projector, events: readonly Arrived[], at: Date): Promise<void> => {
  if ('projectAll' in projector)
    return projector.projectAll(
      events.map(({ payload }) => payload),
      at,
    );
  for (const { payload } of events) await projector.project(payload, at);
};
