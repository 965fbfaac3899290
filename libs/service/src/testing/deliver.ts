import type { EventName, EventPayload } from '@cds/contracts';
import { Deadline } from '../deadline/deadline.js';
import { applyTo, type Consumer, isProjector, projectTo } from '../inbox/consumer.js';
import { inTx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

export const deliver = async <N extends EventName>(
  store: Store,
  consumer: Consumer,
  payload: EventPayload<N>,
  at: Date,
): Promise<void> => {
  await deliverAll(store, consumer, [payload], at);
};

export const deliverAll = async <N extends EventName>(
  store: Store,
  consumer: Consumer,
  payloads: readonly EventPayload<N>[],
  at: Date,
): Promise<void> => {
  const arrived = payloads
    .map((payload) => ({ payload: payload as EventPayload<EventName>, committedAt: at }))
    .filter(({ payload }) => consumer.concerns?.(payload) !== false);
  if (arrived.length === 0) return;
  if (isProjector(consumer)) return projectTo(consumer, arrived, at);
  await inTx(store, Deadline.in(10_000), (tx) => applyTo(tx, consumer, arrived, at));
};
