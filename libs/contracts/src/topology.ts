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

/**
 * The stream of counters that request windows are: one counter for each id and minute (ADR 0006). Its successor has
 * another name, so that no count of a lost one is taken for one of the next.
 */
export const WINDOWS = {
  names: Array.from({ length: 60 }, (_none, second) => `WINDOWS_${second}`),
  subjects: ['win.>'],
  maxAgeMs: 300_000,
} as const;

/** The counter of an id in a minute, which is numbered from the epoch. The id has no dot, space or wildcard. */
export const windowSubject = (id: string, minute: number): string => `win.${id}.${minute}`;

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
