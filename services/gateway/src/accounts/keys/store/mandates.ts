import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import type { StoredMandate } from '../domain/mandate.js';

/**
 * One version of a key's mandate, kept forever: a signature names the version it used (docs/domain/orders.md#mandate).
 */
export type MandateVersionRow = {
  _id: string;
  ws: string;
  key_id: string;
  parent_id?: string;
  /** Its event was added without `parent_id`, and then again with it, as the next version of the aggregate. */
  said_again?: true;
  version: number;
  cause: 'set' | 'removed' | 'terms_accepted';
  mandate: StoredMandate | null;
  actor: string;
  at: Date;
};

/**
 * A person's acceptance of the brand terms for one key; for the workspace's own agent key (`own`) it is the person's
 * own acceptance, which no mandate shows (docs/domain/orders.md#brand-terms).
 */
export type AcceptanceRow = {
  _id: string;
  ws: string;
  key_id: string;
  own: boolean;
  mandate_version: number;
  terms_version: string;
  text_sha256: string;
  person: string;
  email: string;
  at: Date;
  address: string | null;
  user_agent: string | null;
};

export type MandateFeed = {
  addAll: (tx: Tx, ws: string, rows: readonly MandateVersionRow[]) => Promise<void>;
  /** One version, or the end of a mandate with its key; whether the feed did not have it yet. */
  add: (tx: Tx, row: MandateEventRow, at: Date) => Promise<boolean>;
};
type MandateEventRow = Omit<MandateVersionRow, 'cause'> & { cause: MandateVersionRow['cause'] | 'revoked' };

export class Mandates {
  private readonly versions: Collection<MandateVersionRow>;
  private readonly acceptances: Collection<AcceptanceRow>;

  constructor(
    store: Store,
    private readonly feed: MandateFeed,
  ) {
    this.versions = store.collection<MandateVersionRow>({
      name: 'mandates',
      indexes: [{ key: { key_id: 1, version: 1 }, unique: true }],
    });
    this.acceptances = store.collection<AcceptanceRow>({
      name: 'terms_acceptances',
      indexes: [{ key: { ws: 1, at: 1 } }, { key: { key_id: 1, person: 1, at: -1 } }],
    });
  }

  /** Adds versions, and with them their events. Raises LostRace when another writer was faster. */
  async add(tx: Tx, rows: readonly MandateVersionRow[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.versions.insertMany([...rows], tx.options());
    } catch (error) {
      throw isDuplicate(error) ? new LostRace('mandate') : error;
    }
    for (const [ws, own] of Map.groupBy(rows, (row) => row.ws)) await this.feed.addAll(tx, ws, own);
  }

  /** The newest version of a key's mandate, null before the first. Decisions use it, since the key is updated later. */
  async newest(ws: string, keyId: string, tx?: Tx): Promise<MandateVersionRow | null> {
    return this.versions.findOne({ ws, key_id: keyId }, { sort: { version: -1 }, ...tx?.options() });
  }

  /**
   * Adds the events of mandates that end because their keys are revoked. That is no version of the mandate, which
   * records for good what a person allowed. A child that ends with its parent has no event: its mandate is within its
   * parent's.
   */
  async ended(tx: Tx, ws: string, keyIds: readonly string[], at: Date): Promise<void> {
    for (const keyId of keyIds) {
      const last = await this.newest(ws, keyId, tx);
      if (last === null || last.mandate === null) continue;
      const version = last.version + (last.said_again === true ? 2 : 1);
      await this.feed.add(tx, { ...last, version, cause: 'revoked', mandate: null }, at);
    }
  }

  /** Adds the event of a child's mandate again, with its maker, which earlier versions of the gateway left out. */
  async nameParent(tx: Tx, ws: string, keyId: string, parentId: string): Promise<void> {
    const last = await this.newest(ws, keyId, tx);
    if (last === null || last.parent_id !== undefined) return;
    const again = { ...last, parent_id: parentId, version: last.version + 1 };
    const added = await this.feed.add(tx, again, last.at);
    const named = { parent_id: parentId, ...(added && { said_again: true as const }) };
    await this.versions.updateOne({ _id: last._id }, { $set: named }, tx.options());
  }

  async addAcceptances(tx: Tx, rows: readonly AcceptanceRow[]): Promise<void> {
    if (rows.length > 0) await this.acceptances.insertMany([...rows], tx.options());
  }

  async acceptedBy(keyId: string, person: string): Promise<AcceptanceRow | null> {
    return this.acceptances.findOne({ key_id: keyId, person }, { sort: { at: -1 } });
  }

  async acceptancesOf(ws: string, limit: number): Promise<AcceptanceRow[]> {
    return this.acceptances.find({ ws }).sort({ at: -1 }).limit(limit).toArray();
  }

  async of(ws: string, keyId: string): Promise<MandateVersionRow[]> {
    return this.versions.find({ ws, key_id: keyId }).sort({ version: 1 }).toArray();
  }
}
