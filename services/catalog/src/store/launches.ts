import { type Collection, LostRace, type Store, stepping, type Tx } from '@cds/service';
import { launchesChanged, NETWORK_STATE, type NetworkStateDoc } from './network-state.js';

export type LaunchRow = {
  _id: string;
  project: string;
  title: string | null;
  brand: { name: string; handle: string | null; site: string | null; avatar_url: string | null };
  date: string;
  segments: string[];
  rev: number;
  created_at: Date;
  updated_at: Date;
  /** Set until the newest change has reached every creator concerned. `rematch`: only posts decide who took part. */
  untold?: { rematch: boolean };
  telling_until?: Date;
  /** The launch is no longer tracked; its row is deleted once propagated. */
  removed?: true;
};

export const LAUNCHES = {
  name: 'launches',
  indexes: [
    { key: { date: -1, _id: 1 } },
    { key: { 'untold.rematch': 1 }, partialFilterExpression: { untold: { $exists: true } } },
  ],
} as const;

export const TRACKED = { removed: { $exists: false } } as const;

/** How long a replica propagating a launch may be silent, in milliseconds (docs/reliability.md#deadlines). */
const LEASE_MS = 5_000;

const leased = [{ $set: { telling_until: { $add: ['$$NOW', LEASE_MS] } } }];

const changesWho = (held: LaunchRow, { date = held.date, brand = held.brand }: Partial<LaunchRow>): boolean =>
  date !== held.date || brand.handle !== held.brand.handle || brand.site !== held.brand.site;

export class Launches {
  private readonly rows: Collection<LaunchRow>;
  private readonly state: Collection<NetworkStateDoc>;

  constructor(store: Store) {
    this.rows = store.collection<LaunchRow>(LAUNCHES);
    this.state = store.db.collection<NetworkStateDoc>(NETWORK_STATE);
  }

  byId(id: string): Promise<LaunchRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase(), ...TRACKED });
  }

  /** The revision is read first, so a change in between makes it stale. */
  async all(): Promise<{ launches: LaunchRow[]; rev: number }> {
    const state = await this.state.findOne({ _id: 'network' }, { projection: { launches_rev: 1 } });
    return { rev: state?.launches_rev ?? 0, launches: await this.rows.find(TRACKED).toArray() };
  }

  page(skip: number, limit: number): Promise<LaunchRow[]> {
    return this.rows.find(TRACKED, { sort: { date: -1, _id: 1 }, skip, limit }).toArray();
  }

  async add(tx: Tx, row: LaunchRow): Promise<void> {
    await this.rows.insertOne({ ...row, untold: { rematch: false } }, tx.options());
    await launchesChanged(this.state, tx);
  }

  async change(tx: Tx, held: LaunchRow, set: Partial<LaunchRow>): Promise<void> {
    const rematch = held.untold?.rematch === true || changesWho(held, set);
    await this.move(tx, held, { ...set, untold: { rematch } });
  }

  remove(tx: Tx, held: LaunchRow): Promise<void> {
    return this.move(tx, held, { removed: true, untold: { rematch: true } });
  }

  claimPending(without: readonly string[] = []): Promise<LaunchRow | null> {
    return this.rows.findOneAndUpdate(
      {
        ...stepping(without),
        untold: { $exists: true },
        'untold.rematch': { $in: [true, false] },
        $expr: { $lte: [{ $ifNull: ['$telling_until', new Date(0)] }, '$$NOW'] },
      },
      leased,
      { returnDocument: 'after' },
    );
  }

  async renew({ _id, rev }: LaunchRow): Promise<void> {
    await this.rows.updateOne({ _id, rev }, leased);
  }

  async propagated({ _id, rev, removed }: LaunchRow): Promise<void> {
    if (removed === true) await this.rows.deleteOne({ _id, rev });
    else await this.rows.updateOne({ _id, rev }, { $unset: { untold: '' } });
    await this.rows.updateOne({ _id }, { $unset: { telling_until: '' } });
  }

  private async move(tx: Tx, held: LaunchRow, set: Partial<LaunchRow>): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: held._id, rev: held.rev, ...TRACKED },
      { $set: { ...set, rev: held.rev + 1 } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('launch');
    await launchesChanged(this.state, tx);
  }
}

export const brandOf = (brand: {
  name: string;
  handle?: string | null | undefined;
  site?: string | null | undefined;
  avatar_url?: string | null | undefined;
}): LaunchRow['brand'] => ({
  name: brand.name,
  handle: brand.handle?.replace(/^@/, '') ?? null,
  site: brand.site ?? null,
  avatar_url: brand.avatar_url ?? null,
});
