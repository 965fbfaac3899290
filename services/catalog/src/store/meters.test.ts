import { randomUUID } from 'node:crypto';
import { type Collection, Deadline, makeLogger, Store } from '@cds/service';
import { proves, randomOf, testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METER } from '../domain/constants.js';
import { decideRead, type Meter, type MeterWant, withoutAsk } from '../domain/meter/meter.js';
import { anId } from '../test/builders.js';
import { type MeterRow, meterOf } from './meter-row.js';
import { Meters } from './meters.js';

/** Hundreds of statements on one document queue for longer than a single statement may take. */
const unhurried = <T>(work: () => Promise<T>): Promise<T> => Deadline.in(60_000).run(work);

/** Random histories of reads, and the reads of each (docs/reliability.md#layers). */
const HISTORIES = Number(process.env['CDS_METER_HISTORIES'] ?? 20);
const READS = 60;

const KEYS = [randomUUID(), randomUUID(), null] as const;

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

/** Keys in any order, since a stored meter has them by id. */
const sorted = (meter: Meter | undefined) =>
  meter && { ...meter, keys: [...meter.keys].sort((one, other) => one.id.localeCompare(other.id)) };

describe('the meter', () => {
  let store: Store;
  let other: Store;
  let drop: () => Promise<void>;
  let rows: Collection<MeterRow>;
  let replicas: Meters[];

  beforeAll(async () => {
    ({ store, drop } = await testStore('meters'));
    rows = store.db.collection('read_meters');
    other = await Store.open(
      { uri: process.env['CDS_TEST_MONGODB_URI'] ?? '', db: store.name },
      makeLogger('catalog', 'silent'),
    );
    replicas = [new Meters(store), new Meters(other)];
  });
  afterAll(async () => {
    await other?.close();
    await drop();
  });

  const storedMeter = async (workspace: string): Promise<Meter | undefined> => {
    const row = await rows.findOne({ _id: workspace });
    return row === null ? undefined : meterOf(row).meter;
  };

  it(`is stored as it was decided, whichever replica decides, in ${HISTORIES} random histories`, async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = randomOf(seed);
      const workspace = randomUUID();
      const attempts: string[] = [];
      let now = new Date('2026-11-22T23:58:00.000Z');
      let meter: Meter | null = null;
      for (let read = 0; read < READS; read += 1) {
        now = new Date(now.getTime() + Math.floor(random() * 4_000) - 500);
        const replica = replicas[random() < 0.7 ? 0 : 1] as Meters;
        const [ask] = meter?.asks ?? [];
        if (meter !== null && ask !== undefined && random() < 0.1) {
          await replica.releaseAsk(workspace, ask.id);
          meter = withoutAsk(meter, ask.id);
        } else {
          const want = aWant(random, attempts);
          const { meter: next, ...decided } = decideRead(meter, want, now);
          meter = next;
          expect(await replica.book(workspace, want, now)).toEqual({ ...decided, at: meter.at, n: meter.n });
        }
        expect(sorted(await storedMeter(workspace))).toEqual(sorted(meter));
      }
    }
  }, 120_000);

  it('decides on what is stored, whatever this process remembers', async () => {
    const workspace = randomUUID();
    const want = (over: Partial<MeterWant>): MeterWant => ({
      attemptId: randomUUID(),
      key: 'k',
      kind: 'list',
      creators: [anId(1)],
      askId: null,
      asker: null,
      ...over,
    });
    const [one, two] = replicas as [Meters, Meters];
    const now = new Date();
    await one.book(workspace, want({}), now);
    for (let read = 1; read < METER.readsPerMinute; read += 1) await two.book(workspace, want({}), now);
    const refused = await one.book(workspace, want({}), now);
    expect(refused.refused).toMatchObject({ reason: 'per_minute' });

    // A row that was removed is not taken for the next one, although that has had as many changes.
    await rows.deleteOne({ _id: workspace });
    const shown = (creator: number) => want({ key: null, creators: [anId(creator)] });
    for (let change = 1; change <= refused.n; change += 1) await two.book(workspace, shown(2), now);
    await one.book(workspace, shown(3), now);
    expect((await storedMeter(workspace))?.seen).toEqual([anId(2), anId(3)]);
  });

  describe('under concurrent reads from two replicas', () => {
    const book = (workspace: string, index: number, want: Partial<MeterWant>) =>
      unhurried(() =>
        (replicas[index % 2] as Meters).book(
          workspace,
          { attemptId: randomUUID(), key: null, kind: 'list', creators: [], askId: null, asker: null, ...want },
          new Date(),
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
        scope: 'workspace',
        limit: 3,
      });

      const sent = answers.findIndex(({ refused }) => refused === null);
      await replicas[0]?.releaseAsk(workspace, `ask-${sent}`);
      expect((await ask(99)).refused).toBeNull();
    });
  });
});
