import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline/deadline.js';
import { testStore } from '../testing/store.js';
import type { Collection } from './collection.js';
import { inTx, type Tx } from './in-tx.js';
import type { Store } from './store.js';

type Row = { _id: string; n: number };

describe('the body of a transaction', () => {
  let test: Awaited<ReturnType<typeof testStore>>;
  let other: Awaited<ReturnType<typeof testStore>>;
  let rows: Collection<Row>;

  beforeAll(async () => {
    [test, other] = await Promise.all([testStore('inside'), testStore('inside_other')]);
    rows = test.store.collection<Row>({ name: 'rows' });
    await test.store.migrate();
  });
  beforeEach(async () => {
    await rows.deleteMany({});
  });
  afterAll(async () => {
    await Promise.all([test.drop(), other.drop()]);
  });

  const tx = <T>(body: (tx: Tx) => Promise<T>): Promise<T> => inTx(test.store, Deadline.in(30_000), body);

  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['a read of one', () => rows.findOne({ _id: 'a' })],
    ['a read of many', () => rows.find({}).toArray()],
    ['an aggregation', () => rows.aggregate([{ $match: {} }]).toArray()],
    ['a count', () => rows.countDocuments({})],
    ['an insert', () => rows.insertOne({ _id: 'a', n: 1 })],
    ['inserts', () => rows.insertMany([{ _id: 'a', n: 1 }])],
    ['an update', () => rows.updateOne({ _id: 'a' }, { $set: { n: 1 } }, { upsert: true })],
    ['an update that answers', () => rows.findOneAndUpdate({ _id: 'a' }, { $set: { n: 1 } }, { upsert: true })],
    ['a replacement', () => rows.replaceOne({ _id: 'a' }, { n: 1 }, { upsert: true })],
    ['a deletion', () => rows.deleteMany({})],
    ['a bulk of writes', () => rows.bulkWrite([{ insertOne: { document: { _id: 'a', n: 1 } } }])],
    ['the clock', (store) => store.now()],
    ['a command', (store) => store.db.command({ ping: 1 })],
    ['another database of the client', (store) => store.database('elsewhere').collection('rows').findOne({})],
    ['another store', () => other.store.db.collection('rows').findOne({})],
  ])('refuses %s without its session', async (_name, statement) => {
    const run = tx(async (tx) => {
      await rows.insertOne({ _id: 'sessioned', n: 1 }, tx.options());
      await statement(test.store);
    });
    await expect(run).rejects.toThrow('without its session');
    expect(await rows.find({}).toArray()).toEqual([]);
  });

  it('refuses a statement hidden a few awaits deep', async () => {
    const deep = async () => {
      await delay(5);
      await Promise.all([rows.insertOne({ _id: 'deep', n: 1 })]);
    };
    await expect(tx(deep)).rejects.toThrow('without its session');
    expect(await rows.countDocuments({})).toBe(0);
  });

  it('is over when it ends: what it left running may write on its own', async () => {
    let settle = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const left: Promise<unknown>[] = [];
    await tx(async (tx) => {
      await rows.insertOne({ _id: 'inside', n: 1 }, tx.options());
      left.push(ended.then(() => rows.insertOne({ _id: 'later', n: 1 })));
      tx.committed(() => void left.push(rows.insertOne({ _id: 'committed', n: 1 })));
    });
    settle();
    await Promise.all(left);
    expect((await rows.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id)).toEqual([
      'committed',
      'inside',
      'later',
    ]);
  });

  it('does not affect a concurrent statement of another request', async () => {
    let inside = (): void => undefined;
    const entered = new Promise<void>((resolve) => {
      inside = resolve;
    });
    const outside = entered.then(() => rows.insertOne({ _id: 'outside', n: 1 }));
    await tx(async (tx) => {
      inside();
      await outside;
      await rows.insertOne({ _id: 'inside', n: 1 }, tx.options());
    });
    expect(await rows.countDocuments({})).toBe(2);
  });

  describe('with undo work', () => {
    it('runs it after the transaction has ended, with statements of its own', async () => {
      const run = tx(async (tx) => {
        tx.aborted(async () => void (await rows.insertOne({ _id: 'undone', n: 1 })));
        await rows.insertOne({ _id: 'kept', n: 1 }, tx.options());
        throw new Error('refused');
      });
      await expect(run).rejects.toThrow('refused');
      expect(await rows.find({}).toArray()).toEqual([{ _id: 'undone', n: 1 }]);
    });

    it('does not run it after a commit', async () => {
      let undone = 0;
      await tx(async (tx) => {
        tx.aborted(async () => {
          undone += 1;
        });
        await rows.insertOne({ _id: 'kept', n: 1 }, tx.options());
      });
      expect(undone).toBe(0);
    });

    it('does not run it for a try that is retried', async () => {
      await rows.insertOne({ _id: 'a', n: 0 });
      let [tries, undone] = [0, 0];
      let write = (): void => undefined;
      const first = new Promise<void>((resolve) => {
        write = resolve;
      }).then(() => rows.updateOne({ _id: 'a' }, { $inc: { n: 10 } }));
      await tx(async (tx) => {
        tries += 1;
        tx.aborted(async () => {
          undone += 1;
        });
        await rows.findOne({ _id: 'a' }, tx.options());
        write();
        await first;
        await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, tx.options());
      });
      expect([tries, undone, (await rows.findOne({ _id: 'a' }))?.n]).toEqual([2, 0, 11]);
    });

    it('reports its own failure, not that of the undo work', async () => {
      const run = tx(async (tx) => {
        tx.aborted(() => Promise.reject(new Error('of the work')));
        throw new Error('of the body');
      });
      await expect(run).rejects.toThrow('of the body');
    });
  });
});
