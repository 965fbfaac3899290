import { randomUUID } from 'node:crypto';
import { SALE } from '@cds/catalog/bench';
import type { Db, Document, MongoClient } from 'mongodb';
import type { Admitted } from './duties.js';

type Keyed = Document & { _id: string };

const COLLECTIONS = ['command_claims', 'commands', 'outbox', 'audit'];

const UPSERT = { upsert: true, returnDocument: 'after' } as const;
const TRANSACTION = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** The three statements of any edit, in one transaction: its record, the plan by compare-and-set, its campaign. */
const write = async (db: Db, plan: Keyed, command: string, options: Document): Promise<void> => {
  await db
    .collection<Keyed>('commands')
    .replaceOne({ _id: command }, { body: Buffer.alloc(20_000) }, { ...options, upsert: true });
  const { matchedCount } = await db
    .collection<Keyed>('plans')
    .replaceOne(
      { _id: plan._id, version: plan['version'] as number },
      { ...plan, version: plan['version'] + 1 },
      options,
    );
  if (matchedCount === 0) throw new Error('the plan of the reference was edited concurrently');
  await db.collection<Keyed>('campaigns').updateOne({ _id: plan['campaign_id'] }, { $inc: { rev: 1 } }, options);
};

/** Creates the collections, which a transaction may not do. */
export const prepareEditing = async (db: Db): Promise<void> => {
  for (const name of COLLECTIONS) await db.createCollection(name).catch(() => undefined);
};

/** The statements of an edit after the key's, as the services run them. Returns whether the plan was found. */
export const editing = (client: MongoClient, db: Db) => {
  const rows = (name: string) => db.collection<Keyed>(name);
  return async (key: Admitted, planId: string, command: string, unitId: string): Promise<boolean> => {
    await rows('command_claims').findOneAndUpdate({ _id: command }, { $set: { service: 'planning' } }, UPSERT);
    await rows('commands').insertOne({ _id: command, owner: key.key_id }, { writeConcern: { w: 1 } });
    const plan = await rows('plans').findOne({ _id: planId, ws: key.ws });
    if (plan === null) return false;
    await rows('campaigns').findOne({ _id: plan['campaign_id'] as string, ws: key.ws });
    const unitIds = [unitId, ...(plan['lines'] as { unit_id: string }[]).map((line) => line.unit_id)];
    await Promise.all([
      rows('creators')
        .find({ 'units.unit_id': { $in: unitIds } }, { projection: SALE })
        .toArray(),
      rows('authority').findOne({ _id: key.key_id }),
      rows('terms').find().sort({ number: -1 }).limit(1).toArray(),
    ]);
    const event = randomUUID();
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await write(db, plan, command, { session });
        await rows('outbox').insertOne({ _id: event, state: 'new', payload: { plan: planId } }, { session });
        await rows('audit').insertOne({ _id: randomUUID(), plan: planId }, { session });
      }, TRANSACTION),
    );
    void rows('outbox').updateOne({ _id: event }, { $set: { state: 'sent' } });
    return true;
  };
};

/** The reference `bare`: only the transaction. */
export const bareEdit =
  (client: MongoClient, db: Db) =>
  async (planId: string): Promise<void> => {
    const plan = await db.collection<Keyed>('plans').findOne({ _id: planId });
    if (plan === null) throw new Error('a plan of the reference is missing');
    await client.withSession((session) =>
      session.withTransaction(() => write(db, plan, randomUUID(), { session }), TRANSACTION),
    );
  };
