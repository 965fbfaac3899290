import { durableOf, type ServiceName, streamOf } from '@cds/contracts';
import { AckPolicy, DeliverPolicy, type JetStreamClient, StorageType } from '@nats-io/jetstream';
import { until } from './until.js';

/** The shortest window in which the server itself drops duplicates. */
const WINDOW_NS = 100 * 1e6;

/** The stream of a producer in memory, with the durable of one consumer, which a test makes and drops. */
export const eventStream = (js: JetStreamClient, producer: ServiceName, consumer: ServiceName) => {
  const [stream, durable] = [streamOf(producer), durableOf(consumer, producer)];
  return {
    durable,
    make: async (): Promise<void> => {
      const { streams, consumers } = await js.jetstreamManager(false);
      const storage = StorageType.Memory;
      await streams.add({ name: stream, subjects: [`evt.${producer}.>`], storage, duplicate_window: WINDOW_NS });
      await consumers.add(stream, {
        durable_name: durable,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: 30_000 * 1e6,
        max_ack_pending: 64,
      });
    },
    drop: async (): Promise<void> => {
      await (await js.jetstreamManager(false)).streams.delete(stream);
    },
    /** Waits until everything published was applied or skipped. */
    drained: () =>
      until(async () => {
        const { num_pending, num_ack_pending } = await (await js.jetstreamManager(false)).consumers.info(
          stream,
          durable,
        );
        return num_pending + num_ack_pending === 0;
      }),
    lastPlace: async (): Promise<number> =>
      (await (await js.jetstreamManager(false)).streams.info(stream)).state.last_seq,
  };
};
