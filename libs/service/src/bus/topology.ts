import { DURABLES, type DurableDeclaration, STREAMS, type StreamDeclaration } from '@cds/contracts';
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** How long one request to JetStream's API may take, in milliseconds. */
export const API_TIMEOUT_MS = 2_000;

const NANOS_PER_MS = 1e6;

/** Whether JetStream says that the stream or the durable does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamNotFound || error.code === JetStreamApiCodes.ConsumerNotFound);

/** JetStream's API on a connection, with a short timeout. It needs no permission beyond the requests that are made. */
export const apiOf = (nats: NatsConnection): Promise<JetStreamManager> =>
  jetstream(nats, { checkAPI: false, timeout: API_TIMEOUT_MS }).jetstreamManager(false);

/** The streams and durables that one check had to create or update, by name. */
type Declared = { made: string[]; changed: string[] };

/**
 * Creates every stream and durable that is missing and updates the others. If everything is in place, it only reads. A
 * durable starts at the first message of its stream, so one that is created again skips no event.
 */
export const declareTopology = async (manager: JetStreamManager, replicas: number): Promise<Declared> => {
  const declared: Declared = { made: [], changed: [] };
  const note = (name: string, done: keyof Declared | 'same') => {
    if (done !== 'same') declared[done].push(name);
  };
  await Promise.all(
    STREAMS.map(async (stream) => {
      note(stream.name, await declareStream(manager, stream, replicas));
      const durables = DURABLES.filter((durable) => durable.stream === stream.name);
      await Promise.all(durables.map(async (durable) => note(durable.name, await declareDurable(manager, durable))));
    }),
  );
  return declared;
};

const declareStream = async (
  manager: JetStreamManager,
  { name, subjects, maxAgeMs, duplicateWindowMs }: StreamDeclaration,
  replicas: number,
): Promise<keyof Declared | 'same'> => {
  const wanted = {
    subjects: [...subjects],
    num_replicas: replicas,
    max_age: maxAgeMs * NANOS_PER_MS,
    duplicate_window: duplicateWindowMs * NANOS_PER_MS,
  };
  const info = await unlessMissing<StreamInfo>(manager.streams.info(name));
  if (info === null) {
    await manager.streams.add({ name, ...wanted, storage: StorageType.File, retention: RetentionPolicy.Limits });
    return 'made';
  }
  if (isAlready(info.config, wanted)) return 'same';
  await manager.streams.update(name, wanted);
  return 'changed';
};

const declareDurable = async (
  manager: JetStreamManager,
  { stream, name, ackWaitMs, maxAckPending }: DurableDeclaration,
): Promise<keyof Declared | 'same'> => {
  const wanted = { ack_wait: ackWaitMs * NANOS_PER_MS, max_ack_pending: maxAckPending };
  const info = await unlessMissing<ConsumerInfo>(manager.consumers.info(stream, name));
  if (info === null) {
    await manager.consumers.add(stream, {
      durable_name: name,
      ...wanted,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
    return 'made';
  }
  if (isAlready(info.config, wanted)) return 'same';
  await manager.consumers.update(stream, name, wanted);
  return 'changed';
};

const unlessMissing = async <T>(asked: Promise<T>): Promise<T | null> => {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const isAlready = (has: object, wanted: object): boolean =>
  Object.entries(wanted).every(
    ([field, value]) => JSON.stringify((has as Record<string, unknown>)[field]) === JSON.stringify(value),
  );
