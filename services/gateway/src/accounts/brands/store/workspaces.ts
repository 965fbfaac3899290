import type { BrandStatus } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import type { SandboxState } from '../../keys/store/keys.js';

export type BrandRow = {
  _id: string;
  name: string;
  status: BrandStatus;
  website: string | null;
  /** Who signed up, and becomes the owner; null for a development brand. */
  applicant: { name: string; email: string } | null;
  created_at: Date;
  at: Date;
  changed_by: string | null;
  version: number;
};

export const newBrand = (
  id: string,
  of: Pick<BrandRow, 'name' | 'status' | 'website' | 'applicant'>,
  now: Date,
): BrandRow => ({ _id: id, ...of, created_at: now, at: now, changed_by: null, version: 1 });

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
  /** Where the newest move of the clock goes; absent before the first. */
  clock_goal_ms?: number;
  clock_version: number;
  suspended: boolean;
  /** What is armed or running in a sandbox; absent before the first change. */
  sandbox_state?: SandboxState;
  /** The newest reset of a sandbox; absent before the first. */
  reset?: { number: number; seed: number };
  /** Counts the changes of its keys, so that no two are decided on the same state. */
  keys_rev: number;
  suspension_version: number;
  created_at: Date;
};

export const nextState = (
  { sandbox_state: state }: Pick<WorkspaceRow, 'sandbox_state'>,
  change: Partial<Omit<SandboxState, 'version'>>,
): SandboxState => ({
  faults: state?.faults ?? false,
  resetting: state?.resetting ?? false,
  ...change,
  version: (state?.version ?? 0) + 1,
});

/** Brands that people work in: an approved one, and a suspended one, where every request is 403. */
export const OPEN_BRANDS: readonly BrandStatus[] = ['approved', 'suspended'];

export class Workspaces {
  private readonly brands: Collection<BrandRow>;
  readonly rows: Collection<WorkspaceRow>;

  constructor(store: Store) {
    this.brands = store.collection<BrandRow>({
      name: 'brands',
      indexes: [
        { key: { name: 1 }, unique: true },
        { key: { 'applicant.email': 1 }, unique: true, partialFilterExpression: { status: 'pending' } },
      ],
    });
    this.rows = store.collection<WorkspaceRow>({
      name: 'workspaces',
      indexes: [{ key: { brand_id: 1, number: 1 }, unique: true }],
    });
  }

  /** The brand that an address signed up and nobody has decided on yet. */
  async pendingOf(email: string): Promise<BrandRow | null> {
    return this.brands.findOne({ 'applicant.email': email, status: 'pending' });
  }

  async brandNamed(name: string): Promise<BrandRow | null> {
    return this.brands.findOne({ name });
  }

  async hasOpen(ids: readonly string[]): Promise<boolean> {
    return (await this.brands.findOne({ _id: { $in: [...ids] }, status: { $in: [...OPEN_BRANDS] } })) !== null;
  }

  async brandsOf(ids: readonly string[]): Promise<BrandRow[]> {
    return ids.length === 0 ? [] : this.brands.find({ _id: { $in: [...ids] } }).toArray();
  }

  async ofBrands(ids: readonly string[]): Promise<WorkspaceRow[]> {
    if (ids.length === 0) return [];
    return this.rows
      .find({ brand_id: { $in: [...ids] } })
      .sort({ number: 1 })
      .toArray();
  }

  async ofBrand(brandId: string): Promise<WorkspaceRow[]> {
    return this.rows.find({ brand_id: brandId }).sort({ number: 1 }).toArray();
  }

  async insertBrand(tx: Tx, brand: BrandRow): Promise<void> {
    await this.brands.insertOne(brand, tx.options());
  }

  async insert(tx: Tx, rows: readonly WorkspaceRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  async setSuspended(tx: Tx, brandId: string, suspended: boolean, version: number): Promise<void> {
    const set = { suspended, suspension_version: version };
    await this.rows.updateMany({ brand_id: brandId }, { $set: set }, tx.options());
  }

  async byId(ws: string): Promise<WorkspaceRow | null> {
    return this.rows.findOne({ _id: ws });
  }

  /** Locks the workspace's keys: a new key never misses a suspension or a clock. Raises LostRace. */
  async lockKeys(tx: Tx, from: WorkspaceRow): Promise<void> {
    const { _id, keys_rev, suspended, clock_version } = from;
    const done = await this.rows.updateOne(
      { _id, keys_rev, suspended, clock_version },
      { $inc: { keys_rev: 1 } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('keys of a workspace');
  }

  /** Sets what goes on in a sandbox; keys made meanwhile are made again. Raises LostRace. */
  async setSandboxState(
    tx: Tx,
    from: WorkspaceRow,
    state: SandboxState,
    reset: WorkspaceRow['reset'] = from.reset,
  ): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: from._id, kind: 'sandbox', 'sandbox_state.version': from.sandbox_state?.version ?? { $exists: false } },
      { $set: { sandbox_state: state, ...(reset === undefined ? {} : { reset }) }, $inc: { keys_rev: 1 } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('state of a sandbox');
  }

  async setGoal(tx: Tx, from: WorkspaceRow, goalMs: number): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: from._id, kind: 'sandbox', clock_goal_ms: from.clock_goal_ms ?? { $exists: false } },
      { $set: { clock_goal_ms: goalMs } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('sandbox clock');
  }

  async setOffset(tx: Tx, from: WorkspaceRow, offsetMs: number): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: from._id, kind: 'sandbox', clock_version: from.clock_version },
      { $set: { offset_ms: offsetMs, clock_version: from.clock_version + 1 } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('sandbox clock');
  }
}
