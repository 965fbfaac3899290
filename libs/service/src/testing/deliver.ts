import type { EventName, EventPayload } from '@cds/contracts';
import { Deadline } from '../bus/deadline.js';
import type { Consumer } from '../inbox/consumer.js';
import { inTx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/** Applies an event as the inbox does, once and without a bus. */
export const deliver = async <N extends EventName>(
  store: Store,
  consumer: Consumer,
  payload: EventPayload<N>,
  at: Date,
): Promise<void> => {
  const event = payload as EventPayload<EventName>;
  if ('project' in consumer) return consumer.project(event, at);
  await inTx(store, Deadline.in(10_000), (tx) => consumer.apply(tx, event, at));
};
