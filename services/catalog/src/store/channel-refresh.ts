import type { Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** The nightly refresh as a due fact: when it is due, where it stands, and until when a replica works at it. */
type RefreshDoc = { _id: 'nightly'; due_at: Date; after: string | null; lease_until: Date };

const LEASE_MS = 60_000;
const NIGHTLY = { _id: 'nightly' } as const;

/** Who may do the next piece of the nightly refresh; every time is the database's own. */
export class ChannelRefresh {
  private readonly rows: mongo.Collection<RefreshDoc>;

  constructor(store: Store) {
    this.rows = store.collection<RefreshDoc>({ name: 'channel_refresh' });
  }

  /** Writes down when the first refresh is due; a later call changes nothing. */
  async plan(dueAt: Date): Promise<void> {
    await this.rows.updateOne(
      NIGHTLY,
      { $setOnInsert: { due_at: dueAt, after: null, lease_until: new Date(0) } },
      { upsert: true },
    );
  }

  /** Takes the lease of a refresh that is due, and answers it with where the work stands; null while there is none. */
  claim(): Promise<{ after: string | null; lease_until: Date } | null> {
    return this.rows.findOneAndUpdate(
      { ...NIGHTLY, $expr: { $and: [{ $lte: ['$due_at', '$$NOW'] }, { $lte: ['$lease_until', '$$NOW'] }] } },
      [{ $set: { lease_until: { $add: ['$$NOW', LEASE_MS] } } }],
      { returnDocument: 'after' },
    );
  }

  /** Notes that the work is done up to a creator, and gives the lease back if it is still held. */
  async proceed(lease: Date, after: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, lease_until: lease }, { $set: { after, lease_until: new Date(0) } });
  }

  /** Ends the refresh, and says when the next one is due. */
  async finish(lease: Date, dueAt: Date): Promise<void> {
    await this.rows.updateOne(
      { ...NIGHTLY, lease_until: lease },
      { $set: { after: null, due_at: dueAt, lease_until: new Date(0) } },
    );
  }
}
