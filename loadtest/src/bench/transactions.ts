import { randomUUID } from 'node:crypto';
import { type ClientSession, type Document, MongoClient } from 'mongodb';

type Keyed = Document & { _id: string };

const SAFELY = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** The reference of writes: everything that one writes in one transaction, without holds and checks. */
export const openTransactions = async (uri: string, database: string) => {
  const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
  const db = client.db(database);
  const rows = (name: string) => db.collection<Keyed>(name);
  return {
    rows,
    /** A transaction may not create collections. */
    create: async (names: readonly string[]): Promise<void> => {
      for (const name of names) await db.createCollection(name).catch(() => undefined);
    },
    run: (work: (options: { session: ClientSession }) => Promise<void>) =>
      client.withSession((session) => session.withTransaction(() => work({ session }), SAFELY)),
    close: () => client.close(),
  };
};

type Transactions = Awaited<ReturnType<typeof openTransactions>>;

/** The three statements of any edit. They write its record, the plan by compare-and-set, and its campaign. */
export const bareEdit = async ({ rows, run }: Transactions, planId: string): Promise<void> => {
  const plan = await rows('plans').findOne({ _id: planId });
  if (plan === null) throw new Error('a plan of the reference is missing');
  await run(async (options) => {
    const record = { body: Buffer.alloc(20_000) };
    await rows('commands').replaceOne({ _id: randomUUID() }, record, { ...options, upsert: true });
    const { matchedCount } = await rows('plans').replaceOne(
      { _id: plan._id, version: plan['version'] as number },
      { ...plan, version: plan['version'] + 1 },
      options,
    );
    if (matchedCount === 0) throw new Error('the plan of the reference was edited concurrently');
    await rows('campaigns').updateOne({ _id: plan['campaign_id'] }, { $inc: { rev: 1 } }, options);
  });
};

const FLOOR_PLANS = 20_000;
const FLOOR_KEYS = 168;

/** The lower bound of an approval (docs/performance.md#database). */
export const openFloor = async (uri: string, database: string) => {
  const floor = await openTransactions(uri, database);
  const { rows } = floor;
  const [plans, keys] = [FLOOR_PLANS, FLOOR_KEYS].map((length) => Array.from({ length }, () => randomUUID() as string));
  const line = {
    price_cents: 10_000,
    unit_id: randomUUID(),
    creator_id: randomUUID(),
    scheduled_date: '2027-03-12',
    deliverable: 'One post, with the paid partnership label and #ad',
  };
  const open = { status: 'awaiting_approval', version: 1, lines: Array.from({ length: 8 }, () => line) };
  await rows('plans').insertMany((plans ?? []).map((_id) => ({ _id, ...open })));
  await rows('authority').insertMany((keys ?? []).map((_id) => ({ _id, held: 0 })));
  await floor.create(['verdicts', 'orders', 'ledger', 'commands', 'outbox', 'audit']);
  const approve = async (): Promise<void> => {
    const plan = plans?.pop();
    if (plan === undefined) throw new Error('the floor ran out of plans');
    const key = keys?.[Math.floor(Math.random() * FLOOR_KEYS)] ?? '';
    await floor.run(async (options) => {
      const found = await rows('plans').findOne({ _id: plan }, options);
      await rows('authority').updateOne({ _id: key, held: { $lte: 1e12 } }, { $inc: { held: 80_000 } }, options);
      await rows('plans').updateOne(
        { _id: plan, status: 'awaiting_approval', version: 1 },
        { $set: { status: 'approved', version: 2 } },
        options,
      );
      const signed = { plan, lines: found?.['lines'] as unknown };
      const written = { verdicts: signed, orders: signed, ledger: { plan }, commands: { body: Buffer.alloc(6_000) } };
      for (const [name, row] of Object.entries({ ...written, outbox: { payload: found }, audit: { plan } }))
        await rows(name).insertOne({ _id: randomUUID(), ...row }, options);
    });
  };
  return { approve, close: floor.close };
};
