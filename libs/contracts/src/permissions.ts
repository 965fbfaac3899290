import { durableOf, streamOf } from './event.js';
import { type OperationDeclaration, subjectOf } from './operation.js';
import { operations } from './registry.js';
import { CALLS, SERVICES, type ServiceName } from './service.js';
import { DURABLES, producersFor, STREAMS } from './topology.js';

/** The NATS user that makes and changes streams and durables, and the process that it belongs to. */
export const BUS_ADMIN = 'bus-admin';

/** The inbox prefix of one service: only it may read the answers that it asked for. */
export const inboxOf = (service: ServiceName): string => `_INBOX_${service}`;

/** Where one caller takes the answers of one callee: nobody else may publish there, so no service answers for another. */
export const answersOf = (caller: ServiceName, callee: ServiceName): string => `${inboxOf(caller)}.${callee}`;

const mayReach = (caller: ServiceName, callee: ServiceName): boolean =>
  (CALLS[caller] as readonly ServiceName[]).includes(callee);

/** Whether a service may send an operation's request: the map of calls allows the pair and the operation the caller. */
export const mayCall = (caller: ServiceName, operation: OperationDeclaration): boolean =>
  mayReach(caller, operation.service) &&
  ((caller === 'gateway' && operation.rest !== undefined) || (operation.callers ?? []).includes(caller));

/** What one service's NATS user may publish and subscribe to; nothing else is allowed. */
export type NatsPermissions = { publish: string[]; subscribe: string[] };

/** A consumer's own requests to JetStream: look up and pull its durable, and acknowledge. */
const consumerSubjects = (consumer: ServiceName, producer: ServiceName): string[] => {
  const [stream, durable] = [streamOf(producer), durableOf(consumer, producer)];
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
};

/**
 * The NATS permissions of one service's user, from the map of calls and the declarations (design 4; reliability 3.14):
 * requests to the operations it may call, answers to those who may call it, its own events, and the durables it reads. No
 * service may make or change a stream or a durable; of its own stream it sees how far the readers are.
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
      `$JS.API.STREAM.INFO.${stream}`,
      ...DURABLES.filter((durable) => durable.producer === service).map(
        ({ name }) => `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      ),
      ...producersFor(service).flatMap((producer) => consumerSubjects(service, producer)),
    ],
    subscribe: [`cds.${service}.*`, `${inboxOf(service)}.>`],
  };
};

/**
 * What `bus-admin` may do: make, change and look up the declared streams and durables. It may not delete or purge them,
 * read or write an event, or call an operation.
 */
export const busAdminPermissions = (): NatsPermissions => ({
  publish: [
    ...STREAMS.flatMap(({ name }) => ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${name}`)),
    ...DURABLES.flatMap(({ stream, name }) => [
      `$JS.API.CONSUMER.CREATE.${stream}.${name}`,
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
    ]),
  ],
  subscribe: [`_INBOX_${BUS_ADMIN}.>`],
});
