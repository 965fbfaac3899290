import type { Collection, Store } from '@cds/service';

/** The nightly refresh as a due fact: when it is due, where it stands, and which replica works at it until when. */
type RefreshDoc = { _id: 'nightly'; due_at: Date; after: string | null; owner: string | null; lease_until: Date };

/** A replica that does not renew its lease has lost it (reliability 3.20). */
const LEASE_MS = 5_000;
const NIGHTLY = { _id: 'nightly' } as const;

const leased = { lease_until: { $add: ['$$NOW', LEASE_MS] } };
const GIVEN_BACK = { owner: null, lease_until: new Date(0) };

/** Who may do the next piece of the nightly refresh; every time is the database's own. */
export class ChannelRefresh {
  private readonly rows: Collection<RefreshDoc>;

  constructor(store: Store) {
    this.rows = store.collection<RefreshDoc>({ name: 'channel_refresh' });
  }

  /** Writes down when the first refresh is due; a later call changes nothing. */
  async plan(dueAt: Date): Promise<void> {
    await this.rows.updateOne(
      NIGHTLY,
      { $setOnInsert: { due_at: dueAt, after: null, ...GIVEN_BACK } },
      { upsert: true },
    );
  }

  /** Takes the lease of a refresh that is due, and answers where the work stands; null while there is none. */
  claim(owner: string): Promise<{ after: string | null } | null> {
    return this.rows.findOneAndUpdate(
      { ...NIGHTLY, $expr: { $and: [{ $lte: ['$due_at', '$$NOW'] }, { $lte: ['$lease_until', '$$NOW'] }] } },
      [{ $set: { owner, ...leased } }],
      { returnDocument: 'after' },
    );
  }

  /** Keeps the lease for longer; one that another replica has taken over stays with it. */
  async renew(owner: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, [{ $set: leased }]);
  }

  /** Notes that the work is done up to a creator, and gives the lease back if it is still held. */
  async proceed(owner: string, after: string): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after, ...GIVEN_BACK } });
  }

  /** Ends the refresh, and says when the next one is due. */
  async finish(owner: string, dueAt: Date): Promise<void> {
    await this.rows.updateOne({ ...NIGHTLY, owner }, { $set: { after: null, due_at: dueAt, ...GIVEN_BACK } });
  }
}
