import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import { type CompanyContext, type ContextInForce, type ContextVersion, inForce } from '../domain/campaign/context.js';

export class Contexts {
  readonly rows: Collection<CompanyContext>;

  constructor(store: Store) {
    this.rows = store.collection<CompanyContext>({ name: 'contexts' });
  }

  byWorkspace(ws: string): Promise<CompanyContext | null> {
    return this.rows.findOne({ _id: ws });
  }

  async inForce(ws: string): Promise<ContextInForce> {
    return inForce((await this.byWorkspace(ws))?.versions ?? []);
  }

  async ensure(ws: string): Promise<void> {
    try {
      await this.rows.updateOne({ _id: ws }, { $setOnInsert: { ws, version: 0, versions: [] } }, { upsert: true });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /** Confirms the newest version. Raises LostRace when it is not the newest any more, or is confirmed already. */
  async confirm(tx: Tx, ws: string, version: number, at: Date): Promise<void> {
    const { matchedCount } = await this.rows.updateOne(
      { _id: ws, version, versions: { $elemMatch: { version, confirmed_at: null } } },
      { $set: { 'versions.$.confirmed_at': at } },
      tx.options(),
    );
    if (matchedCount === 0) throw new LostRace('context');
  }

  /** Raises LostRace when another version was first, or the newest was confirmed in between. */
  async add(tx: Tx, ws: string, version: ContextVersion, behind: readonly ContextVersion[]): Promise<void> {
    const newest = behind.at(-1);
    const { matchedCount } = await this.rows.updateOne(
      {
        _id: ws,
        version: version.version - 1,
        ...(newest && { versions: { $elemMatch: { version: newest.version, confirmed_at: newest.confirmed_at } } }),
      },
      { $set: { version: version.version }, $push: { versions: version } },
      tx.options(),
    );
    if (matchedCount === 0) throw new LostRace('context');
  }
}
