import { DURABLES, type DurableDeclaration, STREAMS, type StreamDeclaration, WINDOWS } from '@cds/contracts';
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

export const API_TIMEOUT_MS = 2_000;

const NANOS_PER_MS = 1e6;

export const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamNotFound || error.code === JetStreamApiCodes.ConsumerNotFound);

/** JetStream's API on a connection, with a short timeout. It needs no permission beyond the requests that are made. */
export const apiOf = (nats: NatsConnection): Promise<JetStreamManager> =>
  jetstream(nats, { checkAPI: false, timeout: API_TIMEOUT_MS }).jetstreamManager(false);

/** What one check found: the streams and durables that it had to create or update, by name, and the state of all. */
export type Declared = {
  made: string[];
  changed: string[];
  streams: StreamInfo[];
  durables: ConsumerInfo[];
};

type Found<Info> = { done: 'made' | 'changed' | 'same'; info: Info };

/**
 * Creates every stream and durable that is missing and updates the others. If everything is in place, it only reads. A
 * durable starts at the first message of its stream, so one that is created again skips no event. If what an earlier
 * check found `isRecent`, durables are taken to be as they were while their stream is the same and has as many.
 */
export const declareTopology = async (
  manager: JetStreamManager,
  replicas: number,
  earlier: Pick<Declared, 'streams' | 'durables'> = { streams: [], durables: [] },
  isRecent = false,
): Promise<Declared> => {
  const declared: Declared = { made: [], changed: [], streams: [], durables: [] };
  const note = <Info>(name: string, { done, info }: Found<Info>, infos: Info[]) => {
    if (done !== 'same') declared[done].push(name);
    infos.push(info);
  };
  await Promise.all([
    declareWindows(manager, replicas, earlier.streams).then((found) =>
      note(found.info.config.name, found, declared.streams),
    ),
    ...STREAMS.map(async (stream) => {
      const found = await declareStream(manager, stream, replicas);
      note(stream.name, found, declared.streams);
      const known = isRecent ? earlier.streams.find(({ config }) => config.name === stream.name) : undefined;
      if (known !== undefined && hasSameDurables(known, found.info)) {
        declared.durables.push(...earlier.durables.filter((info) => info.stream_name === stream.name));
        return;
      }
      const durables = DURABLES.filter((durable) => durable.stream === stream.name);
      await Promise.all(
        durables.map(async (durable) => note(durable.name, await declareDurable(manager, durable), declared.durables)),
      );
    }),
  ]);
  return declared;
};

const hasSameDurables = (known: StreamInfo, now: StreamInfo): boolean =>
  known.created === now.created && known.state.consumer_count === now.state.consumer_count;

const declareStream = async (
  manager: JetStreamManager,
  { name, subjects, maxAgeMs, duplicateWindowMs }: StreamDeclaration,
  replicas: number,
): Promise<Found<StreamInfo>> => {
  const wanted = {
    subjects: [...subjects],
    num_replicas: replicas,
    max_age: maxAgeMs * NANOS_PER_MS,
    duplicate_window: duplicateWindowMs * NANOS_PER_MS,
  };
  const info = await unlessMissing<StreamInfo>(manager.streams.info(name));
  if (info === null) {
    const made = { name, ...wanted, storage: StorageType.File, retention: RetentionPolicy.Limits };
    return { done: 'made', info: await manager.streams.add(made) };
  }
  if (isAlready(info.config, wanted)) return { done: 'same', info };
  return { done: 'changed', info: await manager.streams.update(name, wanted) };
};

/**
 * The stream of windows, found by its subjects; the server refuses a second one, and a made one is not changed. A lone
 * server writes it without waiting for the disk: when that loses counts, every gateway has lost its connection, and
 * forgets what it remembers.
 */
export const declareWindows = async (
  manager: JetStreamManager,
  replicas: number,
  known: readonly StreamInfo[] = [],
): Promise<Found<StreamInfo>> => {
  const { names, subjects, maxAgeMs } = WINDOWS;
  const former = known.find(({ config }) => names.includes(config.name))?.config.name;
  const info =
    (former === undefined ? null : await unlessMissing<StreamInfo>(manager.streams.info(former))) ??
    (await boundTo(manager, subjects[0]));
  if (info !== null && info.config.num_replicas !== replicas)
    throw new Error(`${info.config.name} has ${info.config.num_replicas} replicas, not ${replicas}; delete it`);
  if (info !== null) return { done: 'same', info };
  const free = names.filter((name) => name !== former);
  const made = {
    name: free[Math.floor(Date.now() / 1_000) % free.length] ?? '',
    subjects: [...subjects],
    num_replicas: replicas,
    max_age: maxAgeMs * NANOS_PER_MS,
    max_msgs_per_subject: 1,
    allow_msg_counter: true,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    ...(replicas === 1 && { persist_mode: PersistMode.Async }),
  };
  return { done: 'made', info: await manager.streams.add(made) };
};

const boundTo = async (manager: JetStreamManager, subject: string): Promise<StreamInfo | null> => {
  const [name] = await manager.streams.names(subject).next();
  return name === undefined ? null : manager.streams.info(name);
};

const declareDurable = async (
  manager: JetStreamManager,
  { stream, name, ackWaitMs, maxAckPending }: DurableDeclaration,
): Promise<Found<ConsumerInfo>> => {
  const wanted = { ack_wait: ackWaitMs * NANOS_PER_MS, max_ack_pending: maxAckPending };
  const info = await unlessMissing<ConsumerInfo>(manager.consumers.info(stream, name));
  if (info === null) {
    const made = {
      durable_name: name,
      ...wanted,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    };
    return { done: 'made', info: await manager.consumers.add(stream, made) };
  }
  if (isAlready(info.config, wanted)) return { done: 'same', info };
  return { done: 'changed', info: await manager.consumers.update(stream, name, wanted) };
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
