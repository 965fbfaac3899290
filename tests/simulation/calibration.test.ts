// @night: compares the simulated engines with the real ones, which no change of ours moves.
import type { Collection } from '@cds/service';
import { seedFrom, testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { Random } from './platform/random.js';
import { Database, type Statement, type Transaction } from './store/database.js';
import { copyOf, type Doc } from './store/documents.js';

const HISTORIES = 25;
const STATEMENTS = 40;
const SESSIONS = 3;
const IDS = ['a', 'b', 'c', 'd'];
const NAME = 'rows';
const seed = seedFrom('CDS_SIMULATION_SEED');

type Step =
  | { kind: 'begin' | 'commit' | 'abort'; session: number }
  | { kind: 'statement'; session: number | null; statement: Statement };

/** The server ends a transaction after 6 s; on a machine that slow, the rest of a history proves nothing. */
const OLD_MS = 4_000;

/** The server's code for a statement that took longer than its limit. */
const MAX_TIME_EXPIRED = 50;

/** The outcome of a statement as a caller sees it: the value, or the code and labels of the error. */
type Came = { value: unknown } | { code: number | undefined; transient: boolean };

const OF = { collection: NAME };
/** Documents enter and leave a unique index that holds only these. */
const PARTIAL = { n: 1 };

/** Statements of every kind and operator that the services use, on few documents, so that they meet. */
const drawStatement = (random: Random): Statement => {
  const id = random.one(IDS);
  const amount = random.below(4);
  const hold = { s: random.one(IDS), c: random.one(IDS), n: amount };
  const update = { ...OF, kind: 'update' as const, upsert: false, many: false };
  return random.one<() => Statement>([
    () => ({ ...OF, kind: 'insert', docs: [{ _id: id, u: random.below(3), n: amount, months: {}, holds: [] }] }),
    () => ({ ...OF, kind: 'find', filter: { n: { $gte: amount } }, sort: { n: -1, _id: 1 }, limit: 2 }),
    () => ({ ...OF, kind: 'find', filter: { _id: id, 'holds.s': hold.s }, projection: { n: 1 } }),
    () => ({ ...OF, kind: 'find', filter: { $or: [{ n: amount }, { 'holds.c': { $ne: hold.c } }] }, sort: { _id: 1 } }),
    () => ({ ...OF, kind: 'count', filter: { u: { $in: [0, 1] }, 'holds.0': { $exists: true } } }),
    () => ({ ...OF, kind: 'delete', filter: { _id: id }, many: false }),
    () => ({
      ...update,
      filter: { _id: id, n: { $lte: amount }, 'holds.c': { $ne: hold.c }, 'holds.2': { $exists: false } },
      update: { $inc: { n: 1, 'months.m.held': amount }, $push: { holds: hold } },
    }),
    () => ({ ...update, filter: { _id: id, 'holds.s': hold.s }, update: { $set: { 'holds.$.n': 9 } } }),
    () => ({
      ...update,
      filter: { _id: id, 'holds.s': hold.s },
      update: { $pull: { holds: { s: hold.s } }, $inc: { n: -1 } },
    }),
    () => ({
      ...update,
      filter: { _id: id, 'months.m': { $exists: false } },
      update: { $set: { 'months.m': { held: 0 } } },
    }),
    () => ({ ...update, filter: { n: amount }, update: { $max: { n: 2 }, $set: { t: new Date(amount) } }, many: true }),
    () => ({ ...update, filter: { _id: id }, update: { $setOnInsert: { n: 0, holds: [], u: 7 } }, upsert: true }),
    () => ({
      ...OF,
      kind: 'replace',
      filter: { _id: id, n: amount },
      doc: { u: random.below(3), n: amount + 1, months: {}, holds: [hold] },
      upsert: false,
    }),
    () => ({
      ...OF,
      kind: 'findAndUpdate',
      filter: { _id: id },
      update: [
        {
          $set: {
            owner: { $cond: [{ $lt: [{ $ifNull: ['$until', new Date(0)] }, new Date(amount)] }, hold.s, '$owner'] },
            until: { $cond: [{ $gt: [{ $ifNull: ['$n', 0] }, amount] }, { $add: [new Date(0), amount] }, '$until'] },
          },
        },
      ],
      upsert: true,
      after: true,
    }),
    () => ({
      ...OF,
      kind: 'aggregate',
      pipeline: [
        { $match: { n: { $gt: 0 } } },
        { $sort: { _id: 1 } },
        {
          $lookup: {
            from: NAME,
            localField: 'holds.s',
            foreignField: '_id',
            as: 'found',
            pipeline: [{ $project: { _id: 1 } }],
          },
        },
        { $set: { found: { $size: '$found' } } },
      ],
    }),
    () => ({
      ...OF,
      kind: 'aggregate',
      pipeline: [
        { $match: { u: { $in: [0, 1, 2] } } },
        {
          $lookup: {
            from: NAME,
            localField: 'n',
            foreignField: 'n',
            let: { u: '$u' },
            as: 'found',
            pipeline: [{ $match: { $expr: { $ne: ['$u', '$$u'] }, n: { $gte: 0 } } }, { $sort: { _id: 1 } }],
          },
        },
        { $unwind: '$found' },
        { $group: { _id: '$_id', least: { $min: '$found.n' }, first: { $first: '$u' } } },
        { $sort: { least: 1, _id: 1 } },
        { $limit: 2 },
      ],
    }),
  ])();
};

const drawHistory = (random: Random): Step[] =>
  Array.from({ length: STATEMENTS }, (): Step => {
    const session = random.below(SESSIONS);
    if (random.chance(0.12)) return { kind: 'begin', session };
    if (random.chance(0.12)) return { kind: random.chance(0.8) ? 'commit' : 'abort', session };
    return { kind: 'statement', session: random.chance(0.5) ? session : null, statement: drawStatement(random) };
  });

/** A value as text, independent of the order of its fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([first], [second]) => (first < second ? -1 : 1)))
      : one,
  );

const cameTo = async (work: () => unknown): Promise<Came> => {
  try {
    return { value: copyOf(await work()) };
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    return { code: Number(error.code), transient: error.hasErrorLabel('TransientTransactionError') };
  }
};

/** What the driver's results have beyond what anybody reads is left out. */
const comparable = (statement: Statement, value: unknown): unknown => {
  const { matchedCount, modifiedCount, upsertedCount, deletedCount, insertedCount } = (value ?? {}) as Doc;
  if (statement.kind === 'update' || statement.kind === 'replace')
    return { matchedCount, modifiedCount, upsertedCount };
  if (statement.kind === 'delete') return { deletedCount };
  return statement.kind === 'insert' ? { insertedCount } : value;
};

describe(`the simulated store beside a real mongod (seed ${seed})`, () => {
  let test: Awaited<ReturnType<typeof testStore>>;
  let rows: Collection<Doc>;

  beforeAll(async () => {
    test = await testStore('calibration');
    const indexes = [
      { key: { u: 1 }, unique: true },
      { key: { owner: 1 }, unique: true, partialFilterExpression: PARTIAL },
    ] as const;
    rows = test.store.collection<Doc>({ name: NAME, indexes });
    await test.store.migrate();
  });

  afterAll(() => test.drop());

  const onReal = (statement: Statement, session: mongo.ClientSession | null): Promise<unknown> => {
    const options = session === null ? {} : { session };
    switch (statement.kind) {
      case 'find':
        return rows
          .find(statement.filter, {
            ...options,
            ...(statement.sort && { sort: statement.sort }),
            ...(statement.limit && { limit: statement.limit }),
            ...(statement.projection && { projection: statement.projection }),
          })
          .toArray();
      case 'count':
        return rows.countDocuments(statement.filter, options);
      case 'aggregate':
        return rows.aggregate(statement.pipeline, options).toArray();
      case 'insert':
        return rows.insertMany(copyOf(statement.docs), options);
      case 'update':
        return statement.many
          ? rows.updateMany(statement.filter, statement.update as Doc, { ...options, upsert: statement.upsert })
          : rows.updateOne(statement.filter, statement.update as Doc, { ...options, upsert: statement.upsert });
      case 'replace':
        return rows.replaceOne(statement.filter, statement.doc, { ...options, upsert: statement.upsert });
      case 'findAndUpdate':
        return rows.findOneAndUpdate(statement.filter, statement.update as Doc, {
          ...options,
          upsert: statement.upsert,
          returnDocument: 'after',
        });
      case 'delete':
        return rows.deleteOne(statement.filter, options);
    }
  };

  /** Plays one history on both and answers the first step at which they differ. */
  const divergence = async (history: readonly Step[]): Promise<unknown> => {
    await rows.deleteMany({});
    const simulated = new Database();
    simulated.unique(NAME, ['u']);
    simulated.unique(NAME, ['owner'], PARTIAL);
    const sessions = Array.from({ length: SESSIONS }, () => test.store.session());
    const transactions: (Transaction | null)[] = sessions.map(() => null);
    const begunAt = sessions.map(() => 0);
    const isOld = (): boolean =>
      transactions.some((one, session) => one !== null && performance.now() - (begunAt[session] ?? 0) > OLD_MS);
    try {
      for (const step of history) {
        if (isOld()) return null;
        if (step.kind === 'statement') {
          const { statement, session } = step;
          const transaction = session === null ? null : (transactions[session] ?? null);
          const inside = session !== null && transaction !== null ? (sessions[session] ?? null) : null;
          // A statement outside the transaction waits for it; on a single connection it would wait for ever.
          const wanted = await cameTo(() => simulated.execute(statement, transaction, new Date())).catch(() => null);
          if (wanted === null) continue;
          const found = await cameTo(() => onReal(statement, inside));
          const both = [wanted, found].map((came) =>
            'value' in came ? { value: comparable(statement, came.value) } : came,
          );
          if (textOf(both[0]) !== textOf(both[1])) return { step, simulated: both[0], real: both[1] };
          if (session !== null && transaction?.state === 'aborted') {
            await sessions[session]?.abortTransaction().catch(() => undefined);
            transactions[session] = null;
          }
          continue;
        }
        const session = sessions[step.session];
        const transaction = transactions[step.session] ?? null;
        if (session === undefined) continue;
        if (step.kind === 'begin') {
          if (transaction !== null) continue;
          session.startTransaction({
            readConcern: { level: 'snapshot' },
            writeConcern: { w: 'majority' },
            maxCommitTimeMS: 5_000,
          });
          transactions[step.session] = simulated.begin();
          begunAt[step.session] = performance.now();
        } else if (transaction !== null) {
          transactions[step.session] = null;
          if (step.kind === 'abort') {
            simulated.abort(transaction);
            await session.abortTransaction();
          } else {
            const wanted = await cameTo(() => simulated.commit(transaction));
            const found = await cameTo(() => session.commitTransaction());
            if ('value' in wanted !== 'value' in found) return { step, simulated: wanted, real: found };
          }
        }
      }
      const left = await rows.find({}).sort({ _id: 1 }).toArray();
      const kept = simulated.documents(NAME).sort((one, other) => (one._id < other._id ? -1 : 1));
      return textOf(left) === textOf(kept) ? null : { left, kept };
    } finally {
      for (const session of sessions) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        await session.endSession();
      }
    }
  };

  /** A busy machine may exceed a statement's time limit once. One that really waits for a lock does so again. */
  const repeatedDivergence = async (history: readonly Step[]): Promise<unknown> => {
    const found = await divergence(history);
    const real = (found as { real?: Came } | null)?.real;
    return real !== undefined && 'code' in real && real.code === MAX_TIME_EXPIRED ? divergence(history) : found;
  };

  it(`gives the same results in ${HISTORIES} random histories of ${STATEMENTS} statements`, async () => {
    const random = new Random(seed);
    for (let history = 0; history < HISTORIES; history += 1)
      expect({ history, differs: await repeatedDivergence(drawHistory(random)) }).toEqual({ history, differs: null });
  }, 120_000);
});
