import { durableOf, streamOf } from './event.js';
import { type OperationDeclaration, subjectOf } from './operation.js';
import { events, operations } from './registry.js';
import { CALLS, SERVICES, type ServiceName } from './service.js';

/** The inbox prefix of one service: only it may read the answers that it asked for. */
export const inboxOf = (service: ServiceName): string => `_INBOX_${service}`;

const mayReach = (caller: ServiceName, callee: ServiceName): boolean =>
  (CALLS[caller] as readonly ServiceName[]).includes(callee);

/** Whether a service may send an operation's request: the map of calls allows the pair and the operation the caller. */
export const mayCall = (caller: ServiceName, operation: OperationDeclaration): boolean =>
  mayReach(caller, operation.service) &&
  ((caller === 'gateway' && operation.rest !== undefined) || (operation.callers ?? []).includes(caller));

/** What one service's NATS user may publish and subscribe to; nothing else is allowed. */
export type NatsPermissions = { publish: string[]; subscribe: string[] };

/** A consumer's own requests to JetStream: make, look up and pull its durable, and acknowledge. */
const consumerSubjects = (consumer: ServiceName, producer: ServiceName): string[] => {
  const [stream, durable] = [streamOf(producer), durableOf(consumer, producer)];
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
};

/** The services whose events one service consumes. */
export const producersFor = (consumer: ServiceName): readonly ServiceName[] =>
  SERVICES.filter((producer) =>
    events.some((event) => event.service === producer && event.consumers.includes(consumer)),
  );

/**
 * The NATS permissions of one service's user, from the map of calls and the declarations (design 4; reliability 3.14):
 * requests to the operations it may call, answers to those who may call it, its own stream, and the durables it reads.
 */
export const natsPermissions = (service: ServiceName): NatsPermissions => {
  const requests = operations.filter((operation) => mayCall(service, operation)).map(subjectOf);
  const answers = SERVICES.filter((caller) => mayReach(caller, service)).map((caller) => `${inboxOf(caller)}.>`);
  const stream = streamOf(service);
  return {
    publish: [
      ...requests,
      ...answers,
      `evt.${service}.>`,
      '$JS.API.INFO',
      `$JS.API.STREAM.CREATE.${stream}`,
      `$JS.API.STREAM.UPDATE.${stream}`,
      `$JS.API.STREAM.INFO.${stream}`,
      ...producersFor(service).flatMap((producer) => consumerSubjects(service, producer)),
    ],
    subscribe: [`cds.${service}.*`, `${inboxOf(service)}.>`],
  };
};
