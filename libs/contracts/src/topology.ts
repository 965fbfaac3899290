import { durableOf, streamOf } from './event.js';
import { events } from './registry.js';
import { SERVICES, type ServiceName } from './service.js';

const DAY_MS = 86_400_000;

/** A stream that `bus-admin` creates: one per service, with that service's events (docs/reliability.md#events). */
export type StreamDeclaration = {
  name: string;
  subjects: readonly string[];
  maxAgeMs: number;
  duplicateWindowMs: number;
};

/** A durable pull consumer that `bus-admin` creates. It starts at the first message, so that none is skipped. */
export type DurableDeclaration = {
  stream: string;
  name: string;
  consumer: ServiceName;
  producer: ServiceName;
  ackWaitMs: number;
  /** Events that wait for a retry count too, so this is far above what one process pulls at once. */
  maxAckPending: number;
};

/** The services whose events one service consumes. */
export const producersFor = (consumer: ServiceName): readonly ServiceName[] =>
  SERVICES.filter((producer) =>
    events.some((event) => event.service === producer && event.consumers.includes(consumer)),
  );

export const STREAMS: readonly StreamDeclaration[] = SERVICES.map((service) => ({
  name: streamOf(service),
  subjects: [`evt.${service}.>`],
  maxAgeMs: 30 * DAY_MS,
  duplicateWindowMs: 120_000,
}));

/** Every durable: one per consumer and producer. */
export const DURABLES: readonly DurableDeclaration[] = SERVICES.flatMap((consumer) =>
  producersFor(consumer).map((producer) => ({
    stream: streamOf(producer),
    name: durableOf(consumer, producer),
    consumer,
    producer,
    ackWaitMs: 30_000,
    maxAckPending: 1_024,
  })),
);
