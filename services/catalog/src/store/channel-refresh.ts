import type { Collection, Store } from '@cds/service';

/** The nightly refresh: when it is due, how far it is, and which replica works on it until when. */
type RefreshDoc = { _id: 'nightly'; due_at: Date; after: string | null; owner: string | null; lease_until: Date };

/** A replica that does not renew its lease loses it (docs/reliability.md#deadlines). */
const LEASE_MS = 5_000;
const NIGHTLY = { _id: 'nightly' } as const;

const leased = { lease_until: { $add: ['$$NOW', LEASE_MS] } };
const GIVEN_BACK = { owner: null, lease_until: new Date(0) };

/** Decides which replica runs the next batch of the nightly refresh. All times are the database's. */
export class ChannelRefresh {
  private readonly rows: Collection<RefreshDoc>;

  constructor(store: Store) {
    this.rows = store.collection<RefreshDoc>({ name: 'channel_refresh' });
  }

  /** Schedules the first refresh; later calls change nothing. */
  async plan(dueAt: Date): Promise<void> {
    await this.rows.updateOne(
      NIGHTLY,
      { $setOnInsert: { due_at: dueAt, after: null, ...GIVEN_BACK } },
      { upsert: true },
    );
  }

  /** Takes the lease of a due refresh and returns how far it is; null if there is none. */
  claim(owner: string): Promise<{ after: string | null } | null> {
    return this.rows.findOneAndUpdate(
      { ...NIGHTLY, $expr: { $and: [{ $lte: ['$due_at', '$$NOW'] }, { $lte: ['$lease_until', '$$NOW'] }] } },
      [{ $set: { owner, ...leased } }],
      { returnDocument: 'after' },
    );
  }

  /** Extends the lease, unless another replica has taken over. */
  async renew(owner: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, [{ $set: leased }]);
  }

  /** Records progress up to a creator, and releases the lease if it is still held. */
  async proceed(owner: string, after: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after, ...GIVEN_BACK } });
  }

  /** Ends the refresh and schedules the next one. */
  async finish(owner: string, dueAt: Date): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after: null, due_at: dueAt, ...GIVEN_BACK } });
  }
}
