import { type Collection, LostRace, type Store, type Tx } from '@cds/service';

/** A brand: the unit of approval, suspension and limits (docs/domain/access.md#workspaces). */
export type BrandRow = {
  _id: string;
  name: string;
  status: 'pending' | 'approved' | 'declined' | 'suspended';
  at: Date;
};

/** A workspace of a brand. A sandbox's clock runs `offset_ms` ahead; `number` counts within the brand. */
export type WorkspaceRow = {
  _id: string;
  kind: 'live' | 'sandbox';
  name: string;
  brand_id: string;
  /** The brand's live workspace, which creator reads are counted in. */
  reads_ws: string;
  number: number;
  offset_ms: number;
  /** The version of the last `clock.set`. */
  clock_version: number;
  suspended: boolean;
  created_at: Date;
};

export class Workspaces {
  private readonly brands: Collection<BrandRow>;
  readonly rows: Collection<WorkspaceRow>;

  constructor(store: Store) {
    this.brands = store.collection<BrandRow>({ name: 'brands', indexes: [{ key: { name: 1 }, unique: true }] });
    this.rows = store.collection<WorkspaceRow>({
      name: 'workspaces',
      indexes: [{ key: { brand_id: 1, number: 1 }, unique: true }],
    });
  }

  async brandNamed(name: string): Promise<BrandRow | null> {
    return this.brands.findOne({ name });
  }

  /** The workspaces of a brand, the live one first. */
  async ofBrand(brandId: string): Promise<WorkspaceRow[]> {
    return this.rows.find({ brand_id: brandId }).sort({ number: 1 }).toArray();
  }

  async insertBrand(tx: Tx, brand: BrandRow): Promise<void> {
    await this.brands.insertOne(brand, tx.options());
  }

  async insert(tx: Tx, rows: readonly WorkspaceRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  async byId(ws: string): Promise<WorkspaceRow | null> {
    return this.rows.findOne({ _id: ws });
  }

  /** Moves a sandbox's clock; raises LostRace when it has changed since it was read. */
  async setOffset(tx: Tx, from: WorkspaceRow, offsetMs: number): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: from._id, kind: 'sandbox', clock_version: from.clock_version },
      { $set: { offset_ms: offsetMs, clock_version: from.clock_version + 1 } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('sandbox clock');
  }
}
