import { LostRace, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';

/** A launch that the team tracks (domain 1-network 7); the handle is the brand's own. */
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
};

export class Launches {
  private readonly rows: mongo.Collection<LaunchRow>;

  constructor(store: Store) {
    this.rows = store.collection<LaunchRow>({ name: 'launches', indexes: [{ key: { date: -1, _id: 1 } }] });
  }

  byId(id: string): Promise<LaunchRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  /** Every launch that is tracked now. */
  all(): Promise<LaunchRow[]> {
    return this.rows.find({}).toArray();
  }

  /** A page, newest first; `skip` launches stand before it. */
  page(skip: number, limit: number): Promise<LaunchRow[]> {
    return this.rows.find({}, { sort: { date: -1, _id: 1 }, skip, limit }).toArray();
  }

  async add(tx: Tx, row: LaunchRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  async change(tx: Tx, held: LaunchRow, set: Partial<LaunchRow>): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: held._id, rev: held.rev },
      { $set: { ...set, rev: held.rev + 1 } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('launch');
  }

  async remove(tx: Tx, held: LaunchRow): Promise<void> {
    const done = await this.rows.deleteOne({ _id: held._id, rev: held.rev }, tx.options());
    if (done.deletedCount === 0) throw new LostRace('launch');
  }
}

/** A brand with everything that was left out as unknown; a handle without its @. */
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
