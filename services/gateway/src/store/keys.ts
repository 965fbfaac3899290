import { randomUUID } from 'node:crypto';
import type { Scope } from '@cds/contracts';
import type { Collection, Database, Store, Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import type { StoredMandate } from '../domain/mandate.js';
import { type Credential, type Peppers, possibleSecrets } from '../keys/key-format.js';
import { Gatherer } from './gatherer.js';
import { type Batch, gatheredFields, type WindowFields, windowFields } from './window.js';

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
  /** The last batches of gathered requests (reliability 3.3). */
  recent: Batch[];
} & Partial<WindowFields>;

/** A key as `admit` answers it: its window has counted this request. */
export type AdmittedKey = Omit<KeyRow, 'secret_hmac' | 'recent'> & WindowFields;

/** Requests per minute of one key (spec, "Limits"). */
export const KEY_LIMIT = 60;

/** A request's credential, and for how long its statement may run. */
type Want = { credential: Credential; maxTimeMs: number };

const FAR_FUTURE = new Date('9999-12-31T23:59:59.999Z');

type Effect = 'read' | 'write';

/** Majority for a write, so that a revocation can never be overtaken. */
const CONCERN: Readonly<
  Record<Effect, { writeConcern: mongo.WriteConcernSettings; readConcern: { level: 'local' | 'majority' } }>
> = {
  read: { writeConcern: { w: 1 }, readConcern: { level: 'local' } },
  write: { writeConcern: { w: 'majority', j: true }, readConcern: { level: 'majority' } },
};

export class Keys {
  readonly rows: Collection<KeyRow>;
  private readonly gathered: Readonly<Record<Effect, Gatherer<Want, AdmittedKey | null>>>;

  private readonly db: Database;

  constructor(
    store: Store,
    private readonly peppers: Peppers,
  ) {
    this.db = store.db;
    this.rows = store.collection<KeyRow>({
      name: 'keys',
      indexes: [{ key: { key_id: 1 }, unique: true }, { key: { ws: 1 } }],
    });
    const gatherer = (effect: Effect) =>
      new Gatherer<Want, AdmittedKey | null>(
        (want) => this.admitOne(want, effect),
        (wants) => this.admitTogether(wants, effect),
      );
    this.gathered = { read: gatherer('read'), write: gatherer('write') };
  }

  /**
   * Authenticates, counts and tells the time (reliability 3.3); null for a key that is unknown, revoked or expired, which
   * counts nothing. Requests that arrive while a statement is on its way share the next one, which changes no decision.
   */
  admit(credential: Credential, effect: Effect, maxTimeMs: number): Promise<AdmittedKey | null> {
    return this.gathered[effect].add({ credential, maxTimeMs });
  }

  /** One request by one statement. */
  private async admitOne({ credential, maxTimeMs }: Want, effect: Effect): Promise<AdmittedKey | null> {
    const row = await this.rows.findOneAndUpdate(this.opened(credential), [{ $set: windowFields(KEY_LIMIT) }], {
      returnDocument: 'after',
      projection: { secret_hmac: 0, recent: 0 },
      writeConcern: CONCERN[effect].writeConcern,
      maxTimeMS: maxTimeMs,
    });
    return row as AdmittedKey | null;
  }

  /** Many requests by one command, with one update for each key, and one find; each reads its own decision from it. */
  private async admitTogether(
    wants: readonly Want[],
    effect: Effect,
  ): Promise<(AdmittedKey | null | Promise<AdmittedKey | null>)[]> {
    const ofKey = new Map<string, { batch: string; credential: Credential; wants: number }>();
    const places = wants.map(({ credential }) => {
      const name = `${credential.publicId} ${credential.secret} ${credential.sandbox}`;
      const key = ofKey.get(name) ?? { batch: randomUUID(), credential, wants: 0 };
      ofKey.set(name, key);
      key.wants += 1;
      return { key, index: key.wants - 1 };
    });
    const keys = [...ofKey.values()];
    const maxTimeMS = Math.max(...wants.map((want) => want.maxTimeMs));

    await this.db.command({
      update: this.rows.name,
      updates: keys.map(({ batch, credential, wants: count }) => ({
        q: this.opened(credential),
        u: [{ $set: gatheredFields(KEY_LIMIT, batch, count) }],
      })),
      ordered: false,
      writeConcern: CONCERN[effect].writeConcern,
      maxTimeMS,
    });
    const ids = [...new Set(keys.map(({ credential }) => credential.publicId))];
    const found = await this.rows
      .find(
        { _id: { $in: ids } },
        {
          projection: { secret_hmac: 0 },
          readConcern: CONCERN[effect].readConcern,
          maxTimeMS,
          batchSize: ids.length + 1,
        },
      )
      .toArray();
    const rows = new Map(found.map((row) => [row._id, row]));

    return places.map(({ key, index }, place) => {
      const row = rows.get(key.credential.publicId);
      if (row === undefined) return null;
      const { recent, ...rest } = row;
      const batch = row.revoked_at === null ? recent.find((one) => one.batch === key.batch) : undefined;
      // The filter did not match, or four later batches of other gateways came between: a statement of its own decides.
      if (batch === undefined) return this.admitOne(wants[place] as Want, effect);
      return { ...rest, n: Math.min(batch.before + index + 1, KEY_LIMIT + 1), win: batch.win, seen_at: batch.at };
    });
  }

  /** The filter that only a key's own, living credential matches. */
  private opened(credential: Credential) {
    return {
      _id: credential.publicId,
      secret_hmac: { $in: possibleSecrets(this.peppers, credential.secret) },
      sandbox: credential.sandbox,
      revoked_at: null,
      $expr: { $gt: [{ $ifNull: ['$expires_at', FAR_FUTURE] }, '$$NOW'] },
    };
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
