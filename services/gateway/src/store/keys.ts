import type { Scope } from '@cds/contracts';
import type { Collection, Store, Tx } from '@cds/service';
import type { StoredMandate } from '../domain/mandate.js';
import type { Batch, WindowFields } from './window.js';

/**
 * An API key with everything that a request needs of its workspace, so that one statement authenticates it. The
 * workspace's own agent key is a row without a secret, so no credential ever matches it.
 */
export type KeyRow = {
  /** The public id, which is part of the key's text. */
  _id: string;
  key_id: string;
  ws: string;
  ws_name: string;
  /** The brand's live workspace, which its sandbox's creator reads count in too (docs/domain/access.md#workspaces). */
  reads_ws: string;
  sandbox: boolean;
  suspended: boolean;
  offset_ms: number;
  name: string;
  own: boolean;
  secret_hmac: string | null;
  scopes: Scope[];
  mandate: StoredMandate | null;
  /** The newest version of the mandate, even when it was removed; 0 before the first. */
  mandate_version: number;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** The last batches of requests (docs/reliability.md#authentication). */
  recent: Batch[];
} & Partial<WindowFields>;

/** A change of keys that was decided elsewhere. It is one statement, never inside a transaction. */
export type KeyChange =
  | { kind: 'mandate'; ws: string; key_id: string; version: number; mandate: StoredMandate | null }
  /** Revokes keys permanently. */
  | { kind: 'revoked'; ws: string; key_ids: string[]; at: Date }
  /** Moves the clock of a sandbox's keys forward. */
  | { kind: 'clock'; ws: string; offset_ms: number };

/** The API keys of all workspaces. How a request is authenticated is in `key-admission.ts`. */
export class Keys {
  readonly rows: Collection<KeyRow>;

  constructor(store: Store) {
    this.rows = store.collection<KeyRow>({
      name: 'keys',
      indexes: [{ key: { key_id: 1 }, unique: true }, { key: { ws: 1 } }],
    });
  }

  /** One key of a workspace, or null. */
  async byKeyId(ws: string, keyId: string): Promise<KeyRow | null> {
    return this.rows.findOne({ ws, key_id: keyId });
  }

  /** The active keys of a workspace with these names. */
  async activeNamed(ws: string, names: readonly string[]): Promise<KeyRow[]> {
    return this.rows.find({ ws, name: { $in: [...names] }, own: false, revoked_at: null }).toArray();
  }

  async countActive(ws: string): Promise<number> {
    return this.rows.countDocuments({ ws, own: false, revoked_at: null });
  }

  /** Inserts keys inside a transaction: nobody knows them yet, so nobody can wait for their locks. */
  async insert(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  /** Applies a change. Applying it again, or after a later one, has no effect. */
  async apply(change: KeyChange): Promise<void> {
    const { ws } = change;
    switch (change.kind) {
      case 'mandate': {
        const { key_id, version, mandate } = change;
        const older = { ws, key_id, mandate_version: { $lt: version } };
        await this.rows.updateOne(older, { $set: { mandate, mandate_version: version } });
        return;
      }
      case 'revoked': {
        const active = { ws, key_id: { $in: change.key_ids }, revoked_at: null };
        await this.rows.updateMany(active, { $set: { revoked_at: change.at } });
        return;
      }
      case 'clock':
        await this.rows.updateMany({ ws }, { $max: { offset_ms: change.offset_ms } });
    }
  }
}
