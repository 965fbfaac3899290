import { randomUUID } from 'node:crypto';
import type { Scope } from '@cds/contracts';
import { type Collection, type Database, Deadline, type Store, type Tx } from '@cds/service';
import { mongo } from 'mongoose';
import type { StoredMandate } from '../domain/mandate.js';
import { type Credential, type Peppers, possibleSecrets } from '../keys/key-format.js';
import { Gatherer, UNDECIDED } from './batcher.js';
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

/** What a decision elsewhere changes in keys, each by one statement and never inside a transaction. */
export type KeyChange =
  | { kind: 'mandate'; ws: string; key_id: string; version: number; mandate: StoredMandate | null }
  /** Ends keys for good. */
  | { kind: 'revoked'; ws: string; key_ids: string[]; at: Date }
  /** Moves the clock of a sandbox's keys forward. */
  | { kind: 'clock'; ws: string; offset_ms: number };

/** Requests per minute of one key (spec, "Limits"). */
export const KEY_LIMIT = 60;

/**
 * How long a statement that authenticates may take, in milliseconds. Others wait for its place, so it does not get the
 * whole of its request's time.
 */
const STATEMENT_MS = 1_000;

/** The server itself gave a command up, so that nothing of it happens later. */
const gaveUp = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;

const MAX_TIME_EXPIRED = 50;

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
  private readonly gathered: Readonly<Record<Effect, Gatherer<Credential, AdmittedKey | null>>>;

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
      new Gatherer<Credential, AdmittedKey | null>({
        keyOf: ({ publicId }) => publicId,
        one: (credential) => this.admitOne(credential, effect),
        together: (credentials) => this.admitTogether(credentials, effect),
      });
    this.gathered = { read: gatherer('read'), write: gatherer('write') };
  }

  /**
   * Authenticates, counts and tells the time (reliability 3.3); null for a key that is unknown, revoked or expired, which
   * counts nothing. Requests that arrive while a statement is on its way share the next one, which changes no decision.
   */
  admit(credential: Credential, effect: Effect): Promise<AdmittedKey | null> {
    return this.gathered[effect].add(credential);
  }

  /** One request by one statement. */
  private async admitOne(credential: Credential, effect: Effect): Promise<AdmittedKey | null> {
    const row = await Deadline.in(STATEMENT_MS).run(() =>
      this.rows.findOneAndUpdate(this.opened(credential), [{ $set: windowFields(KEY_LIMIT) }], {
        returnDocument: 'after',
        projection: { secret_hmac: 0, recent: 0 },
        writeConcern: CONCERN[effect].writeConcern,
      }),
    );
    return row as AdmittedKey | null;
  }

  /**
   * Many requests by one command, with one update for each key, and one find; each reads its own decision from it. When
   * the server gives the command up, the find still tells which keys were counted; the others are undecided.
   */
  private async admitTogether(
    wants: readonly Credential[],
    effect: Effect,
  ): Promise<(AdmittedKey | null | typeof UNDECIDED | Promise<AdmittedKey | null>)[]> {
    const ofKey = new Map<string, { batch: string; credential: Credential; wants: number }>();
    const places = wants.map((credential) => {
      const name = `${credential.publicId} ${credential.secret} ${credential.sandbox}`;
      const key = ofKey.get(name) ?? { batch: randomUUID(), credential, wants: 0 };
      ofKey.set(name, key);
      key.wants += 1;
      return { key, index: key.wants - 1 };
    });
    const keys = [...ofKey.values()];
    const whole = await Deadline.in(STATEMENT_MS).run(() =>
      this.countTogether(
        keys.map(({ batch, credential, wants: count }) => ({
          q: this.opened(credential),
          u: [{ $set: gatheredFields(KEY_LIMIT, batch, count) }],
        })),
        effect,
      ),
    );
    const ids = [...new Set(keys.map(({ credential }) => credential.publicId))];
    const query = {
      projection: { secret_hmac: 0 },
      readConcern: CONCERN[effect].readConcern,
      batchSize: ids.length + 1,
    };
    const found = await Deadline.in(STATEMENT_MS).run(() => this.rows.find({ _id: { $in: ids } }, query).toArray());
    const rows = new Map(found.map((row) => [row._id, row]));

    return places.map(({ key, index }, place) => {
      const row = rows.get(key.credential.publicId);
      if (row === undefined) return null;
      const { recent, ...rest } = row;
      const batch = row.revoked_at === null ? recent.find((one) => one.batch === key.batch) : undefined;
      // The filter did not match, or four later batches of other gateways came between: a statement of its own decides.
      if (batch === undefined) return whole ? this.admitOne(wants[place] as Credential, effect) : UNDECIDED;
      return { ...rest, n: Math.min(batch.before + index + 1, KEY_LIMIT + 1), win: batch.win, seen_at: batch.at };
    });
  }

  /** Counts by one command; false when the server gave it up, having counted some keys or none. */
  private async countTogether(updates: readonly object[], effect: Effect): Promise<boolean> {
    const { writeConcern } = CONCERN[effect];
    try {
      await this.db.command({ update: this.rows.name, updates, ordered: false, writeConcern });
      return true;
    } catch (error) {
      if (gaveUp(error)) return false;
      throw error;
    }
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

  /** Inserts keys that nobody has been told of, so that nobody can wait for them. */
  async insert(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  /** Makes a change in the keys it is about; one that is made again, or after a later one, changes nothing. */
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
        const open = { ws, key_id: { $in: change.key_ids }, revoked_at: null };
        await this.rows.updateMany(open, { $set: { revoked_at: change.at } });
        return;
      }
      case 'clock':
        await this.rows.updateMany({ ws }, { $max: { offset_ms: change.offset_ms } });
    }
  }
}
