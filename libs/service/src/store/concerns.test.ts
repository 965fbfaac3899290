import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { pino } from 'pino';
import { Deadline } from '../deadline/deadline.js';
import type { Collection } from './collection.js';
import { checkCommands } from './command-check.js';
import { inTx } from './in-tx.js';
import { Store } from './store.js';

type Command = Record<string, unknown> & {
  maxTimeMS?: number;
  writeConcern?: { w?: unknown; j?: unknown };
  readConcern?: { level?: unknown };
};

/** The concerns of every command, seen by the driver's command monitor (docs/reliability.md#mongodb; B40). */
describe('the commands of a store', () => {
  const seen: { name: string; command: Command }[] = [];
  let store: Store;
  let rows: Collection<{ _id: number }>;

  beforeAll(async () => {
    const uri = process.env['CDS_TEST_MONGODB_URI'] ?? '';
    store = await Store.open({ uri, db: `t_concerns_${process.pid}` }, pino({ level: 'silent' }), () => undefined);
    store.onCommand(({ commandName, command }) => seen.push({ name: commandName, command: command as Command }));
    rows = store.collection<{ _id: number }>({ name: 'rows' });
    await store.migrate();
  });

  afterAll(async () => {
    await store.db.dropDatabase();
    await store.close();
  });

  const commands = async (work: () => Promise<unknown>): Promise<{ name: string; command: Command }[]> => {
    seen.length = 0;
    await work();
    return seen.filter(({ name }) => !['hello', 'ping', 'endSessions'].includes(name));
  };

  it.each([
    ['an insert', () => rows.insertOne({ _id: 1 })],
    ['an update', () => rows.updateOne({ _id: 1 }, { $set: { a: 1 } } as never)],
    ['an update that answers', () => rows.findOneAndUpdate({ _id: 1 }, { $set: { a: 2 } } as never)],
    ['a deletion', () => rows.deleteOne({ _id: 9 })],
  ])('%s waits for the majority and its journal', async (_name, work) => {
    const [only] = await commands(work);
    expect(only?.command.writeConcern).toMatchObject({ w: 'majority', j: true });
  });

  it('a deciding read sees only majority-committed data', async () => {
    const [only] = await commands(() => rows.findOne({ _id: 1 }));
    expect(only?.command.readConcern).toMatchObject({ level: 'majority' });
    expect(only?.command['$readPreference']).toBeUndefined();
  });

  it('a transaction reads one snapshot, commits to the majority, and bounds each statement', async () => {
    const run = await commands(() => inTx(store, Deadline.in(5_000), (tx) => rows.insertOne({ _id: 2 }, tx.options())));
    expect(run.map(({ name }) => name)).toEqual(['insert', 'commitTransaction']);
    expect(run[0]?.command).toMatchObject({
      startTransaction: true,
      autocommit: false,
      readConcern: { level: 'snapshot' },
    });
    expect(Number(run[0]?.command['maxTimeMS'])).toBeGreaterThan(0);
    expect(Number(run[0]?.command['maxTimeMS'])).toBeLessThanOrEqual(5_000);
    expect(run[1]?.command.writeConcern).toMatchObject({ w: 'majority', j: true });
    expect(Number(run[1]?.command['maxTimeMS'])).toBeLessThanOrEqual(5_000);
  });

  it('sets no wtimeout on a write; the driver bounds its commits and reads the outcome as unknown', async () => {
    const run = await commands(() => rows.insertOne({ _id: 3 }));
    expect(run[0]?.command.writeConcern).toEqual({ w: 'majority', j: true });
  });

  it('every command has a time limit, that of the work around it or its own', async () => {
    const limitOf = async (work: () => Promise<unknown>): Promise<number> => {
      const [one] = await commands(() => work().catch(() => undefined));
      return one?.command.maxTimeMS ?? Number.POSITIVE_INFINITY;
    };
    const alone = await limitOf(() => rows.insertOne({ _id: 70 }));
    expect(alone).toBeGreaterThan(7_000);
    expect(alone).toBeLessThanOrEqual(8_000);
    expect(await limitOf(() => Deadline.in(900).run(() => rows.findOne({ _id: 70 })))).toBeLessThanOrEqual(900);
    const shorter = () => Deadline.in(900).run(() => rows.deleteOne({ _id: 70 }, { maxTimeMS: 300 }));
    expect(await limitOf(shorter)).toBeLessThanOrEqual(300);
  });

  it('a command without a time limit is never sent, and is reported', async () => {
    const problems: string[] = [];
    const client = new mongo.MongoClient(process.env['CDS_TEST_MONGODB_URI'] ?? '', { monitorCommands: true });
    checkCommands(client, (problem) => problems.push(problem));
    try {
      const raw = client.db(store.name).collection<{ _id: number }>('rows');
      await expect(raw.insertOne({ _id: 80 })).rejects.toThrow('insert of rows was sent without maxTimeMS');
      expect(await rows.findOne({ _id: 80 })).toBeNull();
      expect(problems).toEqual(['insert of rows was sent without maxTimeMS']);
    } finally {
      await client.close();
    }
  });

  it('refuses a call and a transaction inside a transaction', async () => {
    const nested = inTx(store, Deadline.in(5_000), () => inTx(store, Deadline.in(1_000), async () => undefined));
    await expect(nested).rejects.toThrow('inside a transaction');
  });

  it('stops retrying at the deadline, with a retryable error', async () => {
    const held = store.session();
    held.startTransaction();
    await rows.updateOne({ _id: 1 }, { $set: { held: true } } as never, { session: held });
    const started = performance.now();
    const blocked = inTx(store, Deadline.in(700), (tx) =>
      rows.updateOne({ _id: 1 }, { $set: { mine: true } } as never, tx.options()),
    );
    await expect(blocked).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(3_000);
    await held.abortTransaction();
    await held.endSession();
  });
});
