import { randomUUID } from 'node:crypto';
import { mongo } from 'mongoose';
import { METER } from '../domain/constants.js';
import type { Counters, Meter, MeteredAsk } from '../domain/meter/meter.js';

/** Creator ids, 16 bytes each, in one binary. */
type Ids = mongo.Binary;

type StoredCounters = Omit<Counters, 'opened'> & { opened: Ids };

/** A stored meter; the counters of keys by key id. `born` tells a row from one that was removed before it. */
export type MeterRow = Pick<Meter, 'n' | 'at' | 'day' | 'recent'> & {
  _id: string;
  born: string;
  seen: Ids;
  ws: StoredCounters;
  keys: Record<string, StoredCounters>;
  asks: (Omit<MeteredAsk, 'creator'> & { creator: mongo.UUID })[];
};

export type KnownMeter = { meter: Meter; born: string; seen: Buffer };

const ID_BYTES = 16;
const ID_PARTS = [8, 12, 16, 20] as const;

const bytesOf = (ids: readonly string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');

const idsOf = ({ buffer }: Ids): string[] => {
  const hex = Buffer.from(buffer).toString('hex');
  return Array.from({ length: buffer.length / ID_BYTES }, (_none, index) => {
    const from = index * 2 * ID_BYTES;
    const [a, b, c, d] = ID_PARTS.map((part) => from + part) as [number, number, number, number];
    const end = from + 2 * ID_BYTES;
    return `${hex.slice(from, a)}-${hex.slice(a, b)}-${hex.slice(b, c)}-${hex.slice(c, d)}-${hex.slice(d, end)}`;
  });
};

const stored = (counters: Counters): StoredCounters => ({
  min: counters.min,
  lists: counters.lists,
  opened: new mongo.Binary(bytesOf(counters.opened)),
  opens: counters.opens,
  paused_until: counters.paused_until,
});

const loaded = ({ opened, ...counters }: StoredCounters): Counters => ({ ...counters, opened: idsOf(opened) });

const storedKeys = (keys: Meter['keys']): MeterRow['keys'] =>
  Object.fromEntries(keys.map((key) => [key.id, stored(key)]));

const storedAsks = (asks: Meter['asks']): MeterRow['asks'] =>
  asks.map((ask) => ({ ...ask, creator: new mongo.UUID(ask.creator) }));

export const meterOf = ({ _id, born, seen, ws, keys, asks, ...rest }: MeterRow): KnownMeter => ({
  born,
  seen: Buffer.from(seen.buffer),
  meter: {
    ...rest,
    seen: idsOf(seen),
    ws: loaded(ws),
    keys: Object.entries(keys).map(([id, key]) => ({ id, ...loaded(key) })),
    asks: asks.map((ask) => ({ ...ask, creator: ask.creator.toString() })),
  },
});

const seenAfter = (meter: Meter, before: KnownMeter | null): Buffer => {
  if (before === null || meter.day !== before.meter.day) return bytesOf(meter.seen);
  if (meter.seen === before.meter.seen) return before.seen;
  // Views are appended, except where an ask gave its own back.
  const last = before.meter.seen.length - 1;
  if (meter.seen[last] !== before.meter.seen[last]) return bytesOf(meter.seen);
  return Buffer.concat([before.seen, bytesOf(meter.seen.slice(before.meter.seen.length))]);
};

export const rowOf = (workspace: string, meter: Meter): { row: MeterRow; known: KnownMeter } => {
  const seen = seenAfter(meter, null);
  const born = randomUUID();
  return {
    known: { meter, born, seen },
    row: {
      _id: workspace,
      born,
      n: meter.n,
      at: meter.at,
      day: meter.day,
      seen: new mongo.Binary(seen),
      ws: stored(meter.ws),
      keys: storedKeys(meter.keys),
      asks: storedAsks(meter.asks),
      recent: meter.recent,
    },
  };
};

const countersChange = (path: string, was: Counters, is: Counters): mongo.Document => ({
  ...(is.min !== was.min && { [`${path}.min`]: is.min }),
  ...(is.lists !== was.lists && { [`${path}.lists`]: is.lists }),
  ...(is.opened !== was.opened && { [`${path}.opened`]: new mongo.Binary(bytesOf(is.opened)) }),
  ...(isOther(is.opens, was.opens) && { [`${path}.opens`]: is.opens }),
  ...(is.paused_until !== was.paused_until && { [`${path}.paused_until`]: is.paused_until }),
});

const isOther = (is: readonly unknown[], was: readonly unknown[]): boolean =>
  is.length !== was.length || is.some((one, index) => one !== was[index]);

const keysChange = (was: Meter, is: Meter): mongo.Document => {
  // Keys are dropped only at midnight, when all counters change.
  if (is.day !== was.day) return { keys: storedKeys(is.keys) };
  const former = new Map(was.keys.map((key) => [key.id, key]));
  return Object.assign(
    {},
    ...is.keys.map((key) => {
      const before = former.get(key.id);
      return before === undefined ? { [`keys.${key.id}`]: stored(key) } : countersChange(`keys.${key.id}`, before, key);
    }),
  );
};

export const changeOf = (before: KnownMeter, meter: Meter): { update: mongo.Document; known: KnownMeter } => {
  const was = before.meter;
  const seen = seenAfter(meter, before);
  const attempts = meter.recent.filter((one) => !was.recent.includes(one));
  return {
    known: { meter, born: before.born, seen },
    update: {
      $set: {
        n: meter.n,
        at: meter.at,
        ...(meter.day !== was.day && { day: meter.day }),
        ...(seen !== before.seen && { seen: new mongo.Binary(seen) }),
        ...countersChange('ws', was.ws, meter.ws),
        ...keysChange(was, meter),
        ...(isOther(meter.asks, was.asks) && { asks: storedAsks(meter.asks) }),
      },
      ...(attempts.length > 0 && { $push: { recent: { $each: attempts, $slice: -METER.attemptsKept } } }),
    },
  };
};
