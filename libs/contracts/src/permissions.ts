import { durableOf, streamOf } from './event.js';
import { type OperationDeclaration, subjectOf } from './operation.js';
import { operations } from './registry.js';
import { CALLS, SERVICES, type ServiceName } from './service.js';
import { DURABLES, producersFor, STREAMS, WINDOWS } from './topology.js';

/** The NATS user, and the process, that creates and updates streams and durables. */
export const BUS_ADMIN = 'bus-admin';

/** The inbox prefix of one service; only it may read the replies to its requests. */
export const inboxOf = (service: ServiceName): string => `_INBOX_${service}`;

/** Where one caller receives one callee's replies. Nobody else may publish there, so no service answers for another. */
export const answersOf = (caller: ServiceName, callee: ServiceName): string => `${inboxOf(caller)}.${callee}`;

const mayReach = (caller: ServiceName, callee: ServiceName): boolean =>
  (CALLS[caller] as readonly ServiceName[]).includes(callee);

/** Whether a service may call an operation: the map of calls must allow the pair, and the operation the caller. */
export const mayCall = (caller: ServiceName, operation: OperationDeclaration): boolean =>
  mayReach(caller, operation.service) &&
  ((caller === 'gateway' && operation.rest !== undefined) || (operation.callers ?? []).includes(caller));

/** Where a service receives the acknowledgements of JetStream, which needs no permission to send them. */
export const acksOf = (service: ServiceName): string => `${inboxOf(service)}.acks`;

type NatsPermissions = { publish: string[]; subscribe: string[] };

/** A consumer's requests to JetStream: look up and pull its durable, and acknowledge. */
const consumerSubjects = (consumer: ServiceName, producer: ServiceName): string[] => {
  const [stream, durable] = [streamOf(producer), durableOf(consumer, producer)];
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
};

/**
 * The NATS permissions of one service's user (docs/reliability.md#subjects). Only the gateway counts in windows. Each
 * service may see the progress of its own stream's consumers; none may create or change a stream or durable.
 */
export const natsPermissions = (service: ServiceName): NatsPermissions => {
  const requests = operations.filter((operation) => mayCall(service, operation)).map(subjectOf);
  const answers = SERVICES.filter((caller) => mayReach(caller, service)).map(
    (caller) => `${answersOf(caller, service)}.>`,
  );
  const stream = streamOf(service);
  return {
    publish: [
      ...requests,
      ...answers,
      `evt.${service}.>`,
      ...(service === 'gateway' ? WINDOWS.subjects : []),
      `$JS.API.STREAM.INFO.${stream}`,
      ...DURABLES.filter((durable) => durable.producer === service).map(
        ({ name }) => `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      ),
      ...producersFor(service).flatMap((producer) => consumerSubjects(service, producer)),
    ],
    subscribe: [`cds.${service}.*`, `${inboxOf(service)}.>`],
  };
};

/** `bus-admin` may declare the streams and durables, and look them up: no delete, purge, read of messages or call. */
export const busAdminPermissions = (): NatsPermissions => ({
  publish: [
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.INFO.*',
    ...STREAMS.flatMap(({ name }) => ['CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`)),
    ...WINDOWS.names.map((name) => `$JS.API.STREAM.CREATE.${name}`),
    ...DURABLES.flatMap(({ stream, name }) => [
      `$JS.API.CONSUMER.CREATE.${stream}.${name}`,
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
    ]),
  ],
  subscribe: [`_INBOX_${BUS_ADMIN}.>`],
});
