import type { Brand, BrandStatus } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';
import type { BrandRow, WorkspaceRow } from './workspaces.js';

export class Brands {
  private readonly rows: Collection<BrandRow>;

  constructor(store: Store) {
    this.rows = store.collection<BrandRow>({
      name: 'brands',
      indexes: [{ key: { created_at: 1, _id: 1 } }, { key: { status: 1, created_at: 1, _id: 1 } }],
    });
  }

  byId(id: string): Promise<BrandRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  page(status: BrandStatus | null, place: Place | null, limit: number): Promise<BrandRow[]> {
    const filter = { ...(status === null ? {} : { status }), ...after('created_at', place) };
    return this.rows.find(filter, { sort: inOrder('created_at'), limit }).toArray();
  }

  async move(tx: Tx, from: BrandRow, to: Pick<BrandRow, 'status' | 'at' | 'changed_by' | 'version'>): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: from._id, status: from.status, version: from.version },
      { $set: { status: to.status, at: to.at, changed_by: to.changed_by, version: to.version } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('brand');
  }
}

export const presentBrand = (brand: BrandRow, workspaces: readonly WorkspaceRow[]): Brand => ({
  id: brand._id,
  company: brand.name,
  website: brand.website,
  status: brand.status,
  applicant: brand.applicant,
  created_at: brand.created_at.toISOString(),
  changed_at: brand.at.toISOString(),
  changed_by: brand.changed_by,
  workspaces: workspaces.map(({ _id, name, kind }) => ({ id: _id, name, kind })),
});
