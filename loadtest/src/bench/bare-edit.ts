import { randomUUID } from 'node:crypto';
import type { Db, Document, MongoClient } from 'mongodb';

type Keyed = Document & { _id: string };

const TRANSACTION = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/**
 * The reference `bare`: the three statements of any edit, in one transaction. They write its record, the plan by
 * compare-and-set, and its campaign.
 */
export const bareEdit = (client: MongoClient, db: Db) => {
  const rows = (name: string) => db.collection<Keyed>(name);
  const write = async (plan: Keyed, options: Document): Promise<void> => {
    await rows('commands').replaceOne(
      { _id: randomUUID() },
      { body: Buffer.alloc(20_000) },
      { ...options, upsert: true },
    );
    const { matchedCount } = await rows('plans').replaceOne(
      { _id: plan._id, version: plan['version'] as number },
      { ...plan, version: plan['version'] + 1 },
      options,
    );
    if (matchedCount === 0) throw new Error('the plan of the reference was edited concurrently');
    await rows('campaigns').updateOne({ _id: plan['campaign_id'] }, { $inc: { rev: 1 } }, options);
  };
  return async (planId: string): Promise<void> => {
    const plan = await rows('plans').findOne({ _id: planId });
    if (plan === null) throw new Error('a plan of the reference is missing');
    await client.withSession((session) => session.withTransaction(() => write(plan, { session }), TRANSACTION));
  };
};
