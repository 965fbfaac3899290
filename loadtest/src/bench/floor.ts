import { randomUUID } from 'node:crypto';
import { type Document, MongoClient } from 'mongodb';

/**
 * The lower bound of an approval: everything it writes, in one transaction of one database, with the bare driver
 * (docs/performance.md#database). It has no second service, no crash-safe hold and no checks.
 */
export class ApproveFloor {
  private constructor(
    private readonly client: MongoClient,
    private readonly database: string,
    private readonly plans: string[],
    private readonly keys: readonly string[],
  ) {}

  static async open(uri: string, database: string, plans: number, keys: number): Promise<ApproveFloor> {
    const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
    const db = client.db(database);
    const ids = Array.from({ length: plans }, () => randomUUID());
    const keyIds = Array.from({ length: keys }, () => randomUUID());
    const line = {
      price_cents: 10_000,
      unit_id: randomUUID(),
      creator_id: randomUUID(),
      scheduled_date: '2027-03-12',
      deliverable: 'One post, with the paid partnership label and #ad',
    };
    const insert = (name: string, rows: Document[]) => db.collection<Document>(name).insertMany(rows);
    await insert(
      'plans',
      ids.map((_id) => ({
        _id,
        status: 'awaiting_approval',
        version: 1,
        lines: Array.from({ length: 8 }, () => line),
      })) as Document[],
    );
    await insert('authority', keyIds.map((_id) => ({ _id, held: 0 })) as Document[]);
    for (const name of ['verdicts', 'orders', 'ledger', 'commands', 'outbox', 'audit'])
      await db.createCollection(name).catch(() => undefined);
    return new ApproveFloor(client, database, ids, keyIds);
  }

  async approve(): Promise<void> {
    const plan = this.plans.pop();
    if (plan === undefined) throw new Error('the floor ran out of plans');
    const key = this.keys[Math.floor(Math.random() * this.keys.length)] ?? '';
    const db = this.client.db(this.database);
    const rows = (name: string) => db.collection<Document & { _id: string }>(name);
    await this.client.withSession((session) =>
      session.withTransaction(
        async () => {
          const options = { session };
          const found = await rows('plans').findOne({ _id: plan }, options);
          await rows('authority').updateOne({ _id: key, held: { $lte: 1e12 } }, { $inc: { held: 80_000 } }, options);
          await rows('plans').updateOne(
            { _id: plan, status: 'awaiting_approval', version: 1 },
            { $set: { status: 'approved', version: 2 } },
            options,
          );
          await rows('verdicts').insertOne({ _id: randomUUID(), plan, lines: found?.['lines'] }, options);
          await rows('orders').insertOne({ _id: randomUUID(), plan, lines: found?.['lines'] }, options);
          await rows('ledger').insertOne({ _id: randomUUID(), plan }, options);
          await rows('commands').insertOne({ _id: randomUUID(), body: Buffer.alloc(6_000) }, options);
          await rows('outbox').insertOne({ _id: randomUUID(), payload: found }, options);
          await rows('audit').insertOne({ _id: randomUUID(), plan }, options);
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
      ),
    );
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
