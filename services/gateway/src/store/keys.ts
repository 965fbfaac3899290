import type { Scope } from '@cds/contracts';
import type { Store, Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import type { StoredMandate } from '../domain/mandate.js';
import { type Credential, type Peppers, possibleSecrets } from '../keys/key-format.js';
import { type WindowFields, windowFields } from './window.js';

/**
 * One API key with everything that a request needs of its workspace, so that one statement authenticates it. The
 * workspace's own agent key is such a row too, with no secret: no credential ever matches it.
 */
export type KeyRow = {
  /** The public id, which stands in the key's text. */
  _id: string;
  key_id: string;
  ws: string;
  ws_name: string;
  /** The brand's live workspace, in which the creator reads of its sandbox too are booked (domain 4-doors 3.3). */
  reads_ws: string;
  sandbox: boolean;
  suspended: boolean;
  offset_ms: number;
  name: string;
  own: boolean;
  secret_hmac: string | null;
  scopes: Scope[];
  mandate: StoredMandate | null;
  /** The newest version of the mandate, also when it was removed; 0 before the first. */
  mandate_version: number;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  recent: { batch: string; before: number }[];
} & Partial<WindowFields>;

/** A key as `admit` answers it: its window has counted this request. */
export type AdmittedKey = Omit<KeyRow, 'secret_hmac' | 'recent'> & WindowFields;

/** Requests per minute of one key (spec, "Limits"). */
export const KEY_LIMIT = 60;

const FAR_FUTURE = new Date('9999-12-31T23:59:59.999Z');

export class Keys {
  private readonly rows: mongo.Collection<KeyRow>;

  constructor(
    store: Store,
    private readonly peppers: Peppers,
  ) {
    this.rows = store.collection<KeyRow>({
      name: 'keys',
      indexes: [{ key: { key_id: 1 }, unique: true }, { key: { ws: 1 } }],
    });
  }

  /**
   * Authenticates, counts and tells the time in one statement (reliability 3.3); null for a key that is unknown,
   * revoked or expired, which counts nothing. Majority for a write, so that a revocation can never be overtaken.
   */
  async admit(credential: Credential, effect: 'read' | 'write', maxTimeMs: number): Promise<AdmittedKey | null> {
    const row = await this.rows.findOneAndUpdate(
      {
        _id: credential.publicId,
        secret_hmac: { $in: possibleSecrets(this.peppers, credential.secret) },
        sandbox: credential.sandbox,
        revoked_at: null,
        $expr: { $gt: [{ $ifNull: ['$expires_at', FAR_FUTURE] }, '$$NOW'] },
      },
      [{ $set: windowFields(KEY_LIMIT) }],
      {
        returnDocument: 'after',
        projection: { secret_hmac: 0, recent: 0 },
        writeConcern: effect === 'write' ? { w: 'majority', journal: true } : { w: 1 },
        maxTimeMS: maxTimeMs,
      },
    );
    return row as AdmittedKey | null;
  }

  /** One key of a workspace, or null. */
  async byKeyId(ws: string, keyId: string): Promise<KeyRow | null> {
    return this.rows.findOne({ ws, key_id: keyId });
  }

  /** The named keys of a workspace that still open it. */
  async activeNamed(ws: string, names: readonly string[]): Promise<KeyRow[]> {
    return this.rows.find({ ws, name: { $in: [...names] }, own: false, revoked_at: null }).toArray();
  }

  async countActive(ws: string): Promise<number> {
    return this.rows.countDocuments({ ws, own: false, revoked_at: null });
  }

  async insert(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  /** Ends keys at once and for good. */
  async revoke(tx: Tx, ws: string, keyIds: readonly string[], at: Date): Promise<void> {
    await this.rows.updateMany(
      { ws, key_id: { $in: [...keyIds] }, revoked_at: null },
      { $set: { revoked_at: at } },
      tx.options(),
    );
  }

  /** Puts a mandate's next version in force; false when another version was faster. */
  async setMandate(
    tx: Tx,
    key: Pick<KeyRow, '_id' | 'ws' | 'mandate_version'>,
    next: { mandate: StoredMandate | null; version: number },
  ): Promise<boolean> {
    const done = await this.rows.updateOne(
      { _id: key._id, ws: key.ws, mandate_version: key.mandate_version },
      { $set: { mandate: next.mandate, mandate_version: next.version } },
      tx.options(),
    );
    return done.matchedCount === 1;
  }

  /** Moves the clock of a sandbox's keys forward. */
  async setOffset(tx: Tx, ws: string, offsetMs: number): Promise<void> {
    await this.rows.updateMany({ ws }, { $max: { offset_ms: offsetMs } }, tx.options());
  }
}
