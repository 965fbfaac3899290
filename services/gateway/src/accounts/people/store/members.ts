import type { BrandRole } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';

/** A person's place in a brand (docs/domain/access.md#roles). */
export type MemberRow = {
  _id: string;
  brand_id: string;
  person_id: string;
  role: BrandRole;
  created_at: Date;
  created_by: string;
  /** Null until the invited person signs in for the first time. */
  joined_at: Date | null;
  /** Counts the changes of the role; absent before the first. */
  role_version?: number;
  /** Set by every change of the brand's owners, so that no two of them run at once. */
  locked_at?: Date;
  /** Counts the writes that the member made; absent before the first. */
  writes?: number;
};

export const roleVersionOf = ({ role_version = 0 }: Pick<MemberRow, 'role_version'>): number => role_version;

export class Members {
  private readonly rows: Collection<MemberRow>;

  constructor(store: Store) {
    this.rows = store.collection<MemberRow>({
      name: 'members',
      indexes: [{ key: { brand_id: 1, person_id: 1 }, unique: true }, { key: { person_id: 1, created_at: 1 } }],
    });
  }

  ofPerson(personId: string): Promise<MemberRow[]> {
    return this.rows.find({ person_id: personId }).sort({ created_at: 1, _id: 1 }).toArray();
  }

  ofBrand(brandId: string): Promise<MemberRow[]> {
    return this.rows.find({ brand_id: brandId }).sort({ created_at: 1, _id: 1 }).toArray();
  }

  in(brandId: string, personId: string): Promise<MemberRow | null> {
    return this.rows.findOne({ brand_id: brandId, person_id: personId });
  }

  async byId(id: string): Promise<MemberRow | null> {
    return this.rows.findOne({ _id: id });
  }

  invitedBy(brandId: string, actor: string, tx?: Tx): Promise<MemberRow[]> {
    return this.rows.find({ brand_id: brandId, created_by: actor, joined_at: null }, tx?.options()).toArray();
  }

  joinedBy(brandId: string, actor: string): Promise<MemberRow[]> {
    return this.rows.find({ brand_id: brandId, created_by: actor, joined_at: { $ne: null } }).toArray();
  }

  /** Lets a transaction commit only while somebody is that member in one of these roles; false when it changed. */
  async holds(tx: Tx, id: string, roles: readonly BrandRole[]): Promise<boolean> {
    const held = { _id: id, role: { $in: [...roles] } };
    return (await this.rows.updateOne(held, { $inc: { writes: 1 } }, tx.options())).matchedCount === 1;
  }

  /** Adds a member in a transaction. Raises a duplicate when the person is one already. */
  async insert(tx: Tx, row: MemberRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  /** Notes that an invited person came. */
  async joined(personId: string, at: Date): Promise<void> {
    await this.rows.updateMany({ person_id: personId, joined_at: null }, { $set: { joined_at: at } });
  }

  /** Notes that a person who was signed in already came into one brand. */
  async entered({ _id }: Pick<MemberRow, '_id'>, at: Date): Promise<void> {
    await this.rows.updateOne({ _id, joined_at: null }, { $set: { joined_at: at } });
  }

  /** Makes every other change of the brand's owners wait for this transaction, or fail and start again. */
  async lockOwners(tx: Tx, brandId: string): Promise<void> {
    const set = [{ $set: { locked_at: '$$NOW' } }];
    await this.rows.updateMany({ brand_id: brandId, role: 'owner' }, set, tx.options());
  }

  async joinedOwners(tx: Tx, brandId: string): Promise<number> {
    return this.rows.countDocuments({ brand_id: brandId, role: 'owner', joined_at: { $ne: null } }, tx.options());
  }

  /** Changes a role. Raises LostRace when the member changed, or made something, since the row was read. */
  async setRole(tx: Tx, row: MemberRow, role: BrandRole, by?: string): Promise<void> {
    const next = { $set: { role }, $inc: { role_version: 1 } };
    const done = await this.rows.updateOne({ _id: row._id, role: row.role, ...asRead(row, by) }, next, tx.options());
    if (done.matchedCount !== 1) throw new LostRace('member');
  }

  async remove(tx: Tx, row: MemberRow, by?: string): Promise<void> {
    const { _id, role, joined_at } = row;
    const done = await this.rows.deleteOne({ _id, role, joined_at, ...asRead(row, by) }, tx.options());
    if (done.deletedCount !== 1) throw new LostRace('member');
  }
}

/** A member who has written nothing since the row was read, except this write if it is their own. */
const asRead = ({ _id, writes }: MemberRow, by: string | undefined) => ({
  writes: by === _id ? (writes ?? 0) + 1 : (writes ?? { $exists: false as const }),
});
