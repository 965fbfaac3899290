import { randomUUID } from 'node:crypto';
import type { Db, Document, MongoClient } from 'mongodb';
import type { Admitted } from './duties.js';

type Keyed = Document & { _id: string };

const COLLECTIONS = ['command_claims', 'commands', 'command_leases', 'outbox', 'audit'];
/** What the services read of the sellers of a plan. */
export const SALE = { status: 1, active: 1, flag_inactive: 1, excluded: 1, units: 1, network_version: 1 } as const;

const UPSERT = { upsert: true, returnDocument: 'after' } as const;
const TRANSACTION = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** The three statements of any edit, in one transaction: its record, the plan by compare-and-set, its campaign. */
const write = async (db: Db, plan: Keyed, command: string, options: Document): Promise<void> => {
  await db.collection<Keyed>('commands').insertOne({ _id: command, body: Buffer.alloc(20_000) }, options);
  const { matchedCount } = await db
    .collection<Keyed>('plans')
    .replaceOne(
      { _id: plan._id, version: plan['version'] as number },
      { ...plan, version: plan['version'] + 1 },
      options,
    );
  if (matchedCount === 0) throw new Error('another edit of the reference was first');
  await db.collection<Keyed>('campaigns').updateOne({ _id: plan['campaign_id'] }, { $inc: { rev: 1 } }, options);
};

/** Collections are made before: no transaction may. */
export const prepareEditing = async (db: Db): Promise<void> => {
  for (const name of COLLECTIONS) await db.createCollection(name).catch(() => undefined);
};

/** The statements of an edit behind the key's own, as the services make them; answers whether the plan was found. */
export const editing = (client: MongoClient, db: Db) => {
  const rows = (name: string) => db.collection<Keyed>(name);
  return async (key: Admitted, planId: string, command: string, unitId: string): Promise<boolean> => {
    await rows('command_claims').findOneAndUpdate({ _id: command }, { $set: { service: 'planning' } }, UPSERT);
    await rows('commands').findOne({ _id: command });
    await rows('command_leases').findOneAndUpdate({ _id: command }, { $set: { owner: key.key_id } }, UPSERT);
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
    const fact = randomUUID();
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await write(db, plan, command, { session });
        await rows('outbox').insertOne({ _id: fact, state: 'new', payload: { plan: planId } }, { session });
        await rows('audit').insertOne({ _id: randomUUID(), plan: planId }, { session });
      }, TRANSACTION),
    );
    void rows('command_leases').deleteOne({ _id: command });
    void rows('outbox').updateOne({ _id: fact }, { $set: { state: 'sent' } });
    return true;
  };
};

/** The reference `bare`: the transaction alone. */
export const bareEdit =
  (client: MongoClient, db: Db) =>
  async (planId: string): Promise<void> => {
    const plan = await db.collection<Keyed>('plans').findOne({ _id: planId });
    if (plan === null) throw new Error('the reference has lost a plan');
    await client.withSession((session) =>
      session.withTransaction(() => write(db, plan, randomUUID(), { session }), TRANSACTION),
    );
  };
