import { randomUUID } from 'node:crypto';
import { setImmediate as sentOut } from 'node:timers/promises';
import { type Collection, Deadline, makeLogger, Store } from '@cds/service';
import { proves, randomOf, testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { DAY_MS, METER } from '../domain/constants.js';
import { type Counters, type Meter, type MeterWant, meterAfter } from '../domain/meter/meter.js';
import { anId } from '../test/builders.js';
import { type MeterShape, meterPipeline, meterShape } from './meter-pipeline.js';
import { binaryId, meterStatement } from './meter-statement.js';
import { Meters } from './meters.js';

/** Hundreds of statements on one document queue for longer than a single statement may take. */
const unhurried = <T>(work: () => Promise<T>): Promise<T> => Deadline.in(60_000).run(work);

/** Random inputs compared with the database (docs/reliability.md#layers). */
const INPUTS = Number(process.env['CDS_METER_INPUTS'] ?? 6_000);
/** Concurrent meters: one update decides a read of each. */
const CHAINS = 1_000;
/** How often a meter runs the exact statement that a read sends, by itself. */
const ALONE_EVERY = 25;
/** After this many reads a meter starts over, near its limits. */
const STEPS_A_START = 25;

const MIDNIGHT = Date.parse('2026-11-22T00:00:00.000Z');

const KEYS = ['k1', 'k2', 'k3', null] as const;

/** A meter near its limits, so that random reads hit them. */
const nearLimits = (random: () => number, at: Date): Meter => {
  const below = (limit: number) => Math.max(0, limit - Math.floor(random() * 4));
  const ids = (from: number, count: number) => Array.from({ length: count }, (_none, index) => anId(from + index));
  const counters = (): Counters => ({
    min: {
      win: new Date(Math.floor(at.getTime() / 60_000) * 60_000),
      n: random() < 0.5 ? below(METER.readsPerMinute) : 0,
    },
    lists: random() < 0.3 ? below(METER.listsPerDay) : 3,
    opened: ids(0, random() < 0.2 ? below(METER.opensPerDay) : 3),
    opens: Array.from(
      { length: random() < 0.3 ? below(METER.opensInTenMinutes) : 2 },
      (_none, index) => new Date(at.getTime() - 400_000 + index * 1_000),
    ),
    paused_until: random() < 0.1 ? new Date(at.getTime() + 30_000) : null,
  });
  const [mostly, other] = random() < 0.3 ? ['sandbox', null] : [null, 'sandbox'];
  return {
    at,
    day: at.toISOString().slice(0, 10),
    seen: ids(0, random() < 0.15 ? below(METER.viewsPerDay) : 12),
    ws: counters(),
    keys: [
      { id: 'k1', ...counters() },
      { id: 'k2', ...counters() },
    ],
    asks: Array.from({ length: Math.floor(random() * (random() < 0.3 ? 24 : 4)) }, (_none, index) => ({
      id: `held-${index}`,
      creator: anId(Math.floor(random() * 8)),
      asker: random() < 0.1 ? other : mostly,
      at: new Date(at.getTime() - DAY_MS + 600_000 + index * 1_000),
      until: random() < 0.3 ? new Date(at.getTime() + 20_000) : null,
      key: 'k1',
      opened: [],
    })),
    recent: [],
    last: { granted: [], refused: null },
  };
};

const aWant = (random: () => number, attempts: string[]): MeterWant => {
  const kind = (['list', 'open', 'ask'] as const)[Math.floor(random() * 3)] ?? 'list';
  const repeated = attempts[Math.floor(random() * attempts.length)];
  const attemptId = repeated !== undefined && random() < 0.15 ? repeated : `a-${random()}`;
  attempts.push(attemptId);
  const from = Math.floor(random() * 320);
  const count = kind === 'list' ? Math.floor(random() * 26) : 1;
  return {
    attemptId,
    kind,
    key: KEYS[Math.floor(random() * KEYS.length)] ?? null,
    creators: Array.from({ length: count }, (_none, index) => anId((from + index * 7) % 320)),
    askId: kind === 'ask' && random() < 0.7 ? `ask-${random()}` : null,
    asker: random() < 0.3 ? 'sandbox' : null,
  };
};

type Stored = Record<string, unknown>;

const binaries = new Map<string, mongo.UUID>();
const binary = (id: string): mongo.UUID => {
  const made = binaries.get(id) ?? binaryId(id);
  binaries.set(id, made);
  return made;
};

/** The domain's meter as stored, with fields in the order the pipeline creates them. */
const spelled = (workspace: string, meter: Meter): Stored => {
  const ids = (of: readonly string[]) => of.map(binary);
  const counters = <T extends Counters>(of: T) => ({ ...of, opened: ids(of.opened) });
  return {
    _id: workspace,
    ...meter,
    seen: ids(meter.seen),
    ws: counters(meter.ws),
    keys: meter.keys.map(counters),
    asks: meter.asks.map((ask) => ({ ...ask, creator: binary(ask.creator) })),
    last: { granted: ids(meter.last.granted), refused: meter.last.refused },
  };
};

/** A read of one chain: the meter before it, the read, and the meter that the reference implementation expects. */
type Read = { chain: string; want: MeterWant; now: Date; held: Meter | null; next: Meter };

/** One meter that random reads go through. */
const aChain = (seed: number) => {
  const random = randomOf(seed);
  const chain = `chain-${String(seed).padStart(5, '0')}`;
  const attempts: string[] = [];
  let now = new Date(MIDNIGHT);
  let held: Meter | null = null;
  return {
    /** Starts over, and returns the initial document. */
    start: (): ({ _id: string } & Stored)[] => {
      now = new Date(MIDNIGHT - 300_000 + Math.floor(random() * 290_000));
      held = random() < 0.1 ? null : nearLimits(random, now);
      return held === null ? [] : [{ _id: chain, ...spelled(chain, held) }];
    },
    read: (): Read => {
      const jump = random();
      const ms = jump < 0.1 ? -Math.floor(random() * 2_000) : jump < 0.9 ? random() * 4_000 : random() * 400_000;
      now = new Date(now.getTime() + Math.floor(ms));
      const want = aWant(random, attempts);
      const before = held;
      held = meterAfter(before, want, now);
      return { chain, want, now, held: before, next: held };
    },
  };
};

type Rows = Collection<{ _id: string } & Stored>;

const decideAlone = async (rows: Rows, reads: readonly Read[]): Promise<void> => {
  for (const { chain, want, now } of reads) {
    const { update, let: values } = meterStatement(want, now);
    await rows.updateOne({ _id: chain }, update, { let: values, upsert: true });
  }
};

/**
 * The reads of one shape are stored with their documents, and its pipeline decides them all; `meanwhile` runs
 * alongside.
 */
const decideGathered = async (rows: Rows, reads: readonly Read[], meanwhile: () => void): Promise<void> => {
  await rows.bulkWrite(
    reads.map(({ chain, want, now }) => ({
      updateOne: {
        filter: { _id: chain },
        update: {
          $set: {
            shape: JSON.stringify(meterShape(want)),
            want: { ...want, creators: want.creators.map(binary), now },
          },
        },
        upsert: true,
      },
    })),
    { ordered: false },
  );
  const shapes = new Set(reads.map(({ want }) => JSON.stringify(meterShape(want))));
  const decided = rows.bulkWrite(
    [...shapes].map((shape) => ({
      updateMany: {
        filter: { shape },
        update: [
          ...meterPipeline(JSON.parse(shape) as MeterShape, {
            now: '$want.now',
            attemptId: '$want.attemptId',
            key: '$want.key',
            creators: '$want.creators',
            askId: '$want.askId',
            asker: '$want.asker',
          }),
          { $unset: ['want', 'shape'] },
        ],
      },
    })),
    { ordered: false },
  );
  await Promise.all([decided, sentOut().then(meanwhile)]);
};

const read = (stored: unknown): Stored => mongo.BSON.deserialize(stored as Uint8Array) as Stored;

/** Whether a stored meter equals the expected one, by bytes or else by values. */
const isSame = (stored: Uint8Array, wanted: Stored): boolean =>
  Buffer.compare(stored, mongo.BSON.serialize(wanted)) === 0 || canonical(read(stored)) === canonical(wanted);

/** A stored meter as text, whatever the order of its fields. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Date) return String(value.getTime());
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if ('_bsontype' in value) return Buffer.from((value as mongo.UUID).buffer).toString('latin1');
  return Object.entries(value)
    .map(([name, of]) => `${name}:${canonical(of)}`)
    .sort()
    .join('\n');
};

describe('the meter', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let rows: Rows;

  beforeAll(async () => {
    ({ store, drop } = await testStore('meters'));
    rows = store.db.collection('meters');
  });
  afterAll(() => drop());

  it(`decides and books ${INPUTS} random reads exactly like its reference implementation`, async () => {
    const chains = Array.from({ length: CHAINS }, (_none, index) => aChain(index + 1));
    const met = new Map<string, number>();
    const note = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);

    const compare = (step: number, reads: readonly Read[], stored: readonly unknown[]): void => {
      expect(stored).toHaveLength(reads.length);
      for (const [index, { chain, want, held, next }] of reads.entries()) {
        const wanted = spelled(chain, next);
        // Jest's comparison costs more than the statement, so it runs only when there is a difference.
        if (!isSame(stored[index] as Uint8Array, wanted))
          expect({ step, want, held, stored: read(stored[index]) }).toEqual({ step, want, held, stored: wanted });
        note(next.last.refused === null ? 'served' : `${next.last.refused.reason} ${next.last.refused.scope}`);
        note(`${want.kind} by ${want.key === null ? 'the app' : 'a key'}`);
        if (held !== null && held.day !== next.day) note('across midnight');
        if (held?.recent.some(({ attempt_id: id }) => id === want.attemptId) === true) note('an attempt again');
        if (next.last.granted.length > 0 && next.last.granted.length < want.creators.length) note('a page cut');
      }
    };

    // The database decides one step's reads while the step before is compared.
    let compareFormer = (): void => undefined;
    for (let step = 0; step < INPUTS / CHAINS; step += 1) {
      if (step % STEPS_A_START === 0) {
        await unhurried(() => rows.deleteMany({}));
        await unhurried(() => rows.insertMany(chains.flatMap((chain) => chain.start())));
      }
      const reads = chains.map((chain) => chain.read());
      await unhurried(() =>
        Promise.all([
          decideAlone(
            rows,
            reads.filter((_read, index) => index % ALONE_EVERY === 0),
          ),
          decideGathered(
            rows,
            reads.filter((_read, index) => index % ALONE_EVERY > 0),
            () => compareFormer(),
          ),
        ]),
      );
      const stored = await unhurried(() => rows.find({}, { raw: true, sort: { _id: 1 } }).toArray());
      compareFormer = () => compare(step, reads, stored);
    }
    compareFormer();

    const least = INPUTS / 2_000;
    expect([...met].filter(([, times]) => times >= least).map(([what]) => what)).toEqual(
      expect.arrayContaining([
        'a page cut',
        'across midnight',
        'an attempt again',
        'daily_limit null',
        ...['daily_lists', 'daily_reveals', 'locked', 'per_minute'].flatMap((reason) => [
          `${reason} api`,
          `${reason} key`,
        ]),
        'daily_seen workspace',
        ...['ask', 'list', 'open'].flatMap((kind) => [`${kind} by a key`, `${kind} by the app`]),
        'served',
      ]),
    );
  }, 600_000);

  describe('under concurrent reads from two replicas', () => {
    let replicas: Meters[];
    let other: Store;

    beforeAll(async () => {
      other = await Store.open(
        { uri: process.env['CDS_TEST_MONGODB_URI'] ?? '', db: store.name },
        makeLogger('catalog', 'silent'),
      );
      replicas = [new Meters(store), new Meters(other)];
    });
    afterAll(() => other.close());

    const book = (workspace: string, index: number, want: Partial<MeterWant>) =>
      unhurried(() =>
        (replicas[index % 2] as Meters).book(
          workspace,
          { attemptId: randomUUID(), key: null, kind: 'list', creators: [], askId: null, asker: null, ...want },
          20_000,
        ),
      );

    it.each(Array.from({ length: 3 }, (_none, index) => index))(
      'shows exactly 300 creators to 500 concurrent views, and refuses none that fits (I38), round %i',
      async () => {
        proves('limits.pool-300');
        const workspace = randomUUID();
        const answers = await Promise.all(
          Array.from({ length: 500 }, (_none, index) => book(workspace, index, { creators: [anId(index)] })),
        );
        expect(answers.filter(({ refused }) => refused === null)).toHaveLength(METER.viewsPerDay);
        for (const { refused } of answers)
          if (refused !== null) expect(refused).toMatchObject({ reason: 'daily_seen', scope: 'workspace', limit: 300 });
        const again = await book(workspace, 0, { creators: [anId(9_999), ...answers.flatMap((one) => one.granted)] });
        expect(again.granted).toHaveLength(METER.viewsPerDay);
      },
    );

    it('serves 20 of 500 reads by 10 keys in a minute, whichever keys (I39)', async () => {
      proves('limits.brand-ceiling');
      const workspace = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 500 }, (_none, index) =>
          book(workspace, index, { key: `key-${index % 10}`, creators: [anId(index % 24)] }),
        ),
      );
      const minutes = new Map<number, number>();
      for (const { refused, at } of answers) {
        const minute = Math.floor(at.getTime() / 60_000);
        minutes.set(minute, (minutes.get(minute) ?? 0) + (refused === null ? 1 : 0));
        if (refused !== null) expect(refused.reason).toBe('per_minute');
      }
      expect([...minutes.values()]).toEqual([...minutes.keys()].map(() => METER.readsPerMinute));
    });

    it('books an attempt once, however often it is sent', async () => {
      const workspace = randomUUID();
      const attemptId = randomUUID();
      await Promise.all(
        Array.from({ length: 50 }, (_none, index) =>
          book(workspace, index, { attemptId, key: 'k', creators: [anId(1)] }),
        ),
      );
      expect(await rows.findOne({ _id: workspace })).toMatchObject({ ws: { lists: 1, min: { n: 1 } } });
    });

    it('admits 3 concurrent asks for a creator and gives back an undelivered one (I40)', async () => {
      const workspace = randomUUID();
      const ask = (index: number) =>
        book(workspace, index, { kind: 'ask', key: 'k', creators: [anId(1)], askId: `ask-${index}` });
      const answers = await Promise.all(Array.from({ length: 20 }, (_none, index) => ask(index)));
      expect(answers.filter(({ refused }) => refused === null)).toHaveLength(3);
      expect(answers.find(({ refused }) => refused !== null)?.refused).toMatchObject({
        reason: 'daily_limit',
        scope: null,
        limit: 3,
      });

      const sent = answers.findIndex(({ refused }) => refused === null);
      await replicas[0]?.releaseAsk(workspace, { askId: `ask-${sent}`, creator: anId(1) });
      expect((await ask(99)).refused).toBeNull();
    });
  });
});
