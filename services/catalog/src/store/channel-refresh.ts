import type { Collection, Store } from '@cds/service';

type RefreshDoc = { _id: 'nightly'; due_at: Date; after: string | null; owner: string | null; lease_until: Date };

/** A replica that does not renew its lease loses it (docs/reliability.md#deadlines). */
const LEASE_MS = 5_000;
const NIGHTLY = { _id: 'nightly' } as const;

const leased = { lease_until: { $add: ['$$NOW', LEASE_MS] } };
const GIVEN_BACK = { owner: null, lease_until: new Date(0) };

export class ChannelRefresh {
  private readonly rows: Collection<RefreshDoc>;

  constructor(store: Store) {
    this.rows = store.collection<RefreshDoc>({ name: 'channel_refresh' });
  }

  async plan(dueAt: Date): Promise<void> {
    await this.rows.updateOne(
      NIGHTLY,
      { $setOnInsert: { due_at: dueAt, after: null, ...GIVEN_BACK } },
      { upsert: true },
    );
  }

  claim(owner: string): Promise<{ after: string | null } | null> {
    return this.rows.findOneAndUpdate(
      { ...NIGHTLY, $expr: { $and: [{ $lte: ['$due_at', '$$NOW'] }, { $lte: ['$lease_until', '$$NOW'] }] } },
      [{ $set: { owner, ...leased } }],
      { returnDocument: 'after' },
    );
  }

  async renew(owner: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, [{ $set: leased }]);
  }

  async proceed(owner: string, after: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after, ...GIVEN_BACK } });
  }

  async finish(owner: string, dueAt: Date): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after: null, due_at: dueAt, ...GIVEN_BACK } });
  }
}
