import { randomUUID } from 'node:crypto';
import { type Collection, counterOf, type Database, Deadline, type Store } from '@cds/service';
import { mongo } from 'mongoose';
import { batchedFields, type WindowFields, windowFields } from '../../../edge/port.js';
import { type Credential, type Peppers, possibleSecrets } from '../key-format.js';
import { Batcher, UNDECIDED } from './batcher.js';
import type { KeyRow, Keys } from './keys.js';

export type AdmittedKey = Omit<KeyRow, 'secret_hmac' | 'recent'> & WindowFields;

export const KEY_LIMIT = 60;

/** The longest a statement may take, in milliseconds: others wait for its slot, so it gets part of a request's time. */
const STATEMENT_MS = 1_000;

/** Whether the server itself gave up on a command, so that no part of it happens later. */
const serverGaveUp = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;

const MAX_TIME_EXPIRED = 50;

const admissions = counterOf('cds_admissions_total');
const statements = counterOf('cds_admission_statements_total');

const NEVER = new Date('9999-12-31T23:59:59.999Z');

type Effect = 'read' | 'write';

/**
 * A key that a request counts on, with what its document must also match: the sender's secret, or for the parent of an
 * admitted child the id that the child's row names. Equal names share one update of a batch.
 */
type Subject = {
  publicId: string;
  name: string;
  proof: { secret_hmac: { $in: string[] }; sandbox: boolean } | { key_id: string };
};

/** Majority for a write, so that it never overtakes a revocation. */
const CONCERN: Readonly<
  Record<Effect, { writeConcern: mongo.WriteConcernSettings; readConcern: { level: 'local' | 'majority' } }>
> = {
  read: { writeConcern: { w: 1 }, readConcern: { level: 'local' } },
  write: { writeConcern: { w: 'majority', j: true }, readConcern: { level: 'majority' } },
};

export class KeyAdmission {
  private readonly rows: Collection<KeyRow>;
  private readonly db: Database;
  private readonly batched: Readonly<Record<Effect, Batcher<Subject, AdmittedKey | null>>>;

  constructor(
    store: Store,
    keys: Pick<Keys, 'rows'>,
    private readonly peppers: Peppers,
  ) {
    this.rows = keys.rows;
    this.db = store.db;
    const batcher = (effect: Effect) =>
      new Batcher<Subject, AdmittedKey | null>({
        keyOf: ({ publicId }) => publicId,
        one: (subject) => this.admitOne(subject, effect),
        many: (subjects) => this.admitMany(subjects, effect),
      });
    this.batched = { read: batcher('read'), write: batcher('write') };
  }

  /**
   * Authenticates and counts a request, and reads the time (docs/reliability.md#authentication). A key that is unknown,
   * revoked or expired is null and counts nothing. Requests that arrive while a statement runs share the next one,
   * which changes no decision.
   */
  admit({ publicId, secret, sandbox }: Credential, effect: Effect): Promise<AdmittedKey | null> {
    const proof = { secret_hmac: { $in: possibleSecrets(this.peppers, secret) }, sandbox };
    return this.batched[effect].add({ publicId, name: `${publicId} ${secret} ${sandbox}`, proof });
  }

  /**
   * Counts the request of an admitted child on its parent as well; null when the parent is revoked or expired, which
   * ends the child (docs/domain/access.md#child-keys).
   */
  admitParent({ key_id, public_id: publicId }: NonNullable<KeyRow['parent']>, effect: Effect) {
    return this.batched[effect].add({ publicId, name: publicId, proof: { key_id } });
  }

  /** Authenticates and counts a request of a client that a person let act as a key; null when the key has ended. */
  admitGranted({ key_id, public_id: publicId }: { key_id: string; public_id: string }, effect: Effect) {
    return this.batched[effect].add({ publicId, name: publicId, proof: { key_id } });
  }

  private async admitOne(subject: Subject, effect: Effect): Promise<AdmittedKey | null> {
    noteStatement('one', 1);
    const row = await Deadline.in(STATEMENT_MS).run(() =>
      this.rows.findOneAndUpdate(activeKey(subject), [{ $set: windowFields(KEY_LIMIT) }], {
        returnDocument: 'after',
        projection: { secret_hmac: 0, recent: 0 },
        writeConcern: CONCERN[effect].writeConcern,
      }),
    );
    return row as AdmittedKey | null;
  }

  /**
   * Admits many requests by one command, with one update per key, and one find that holds every decision. When the
   * server gives up on the command, the find still shows which keys were counted; the others are undecided.
   */
  private async admitMany(
    subjects: readonly Subject[],
    effect: Effect,
  ): Promise<(AdmittedKey | null | typeof UNDECIDED | Promise<AdmittedKey | null>)[]> {
    noteStatement('shared', subjects.length);
    const ofKey = new Map<string, { batch: string; subject: Subject; count: number }>();
    const places = subjects.map((subject) => {
      const key = ofKey.get(subject.name) ?? { batch: randomUUID(), subject, count: 0 };
      ofKey.set(subject.name, key);
      key.count += 1;
      return { key, index: key.count - 1 };
    });
    const keys = [...ofKey.values()];
    const complete = await Deadline.in(STATEMENT_MS).run(() =>
      this.countMany(
        keys.map(({ batch, subject, count }) => ({
          q: activeKey(subject),
          u: [{ $set: batchedFields(KEY_LIMIT, batch, count) }],
        })),
        effect,
      ),
    );
    const ids = [...new Set(keys.map(({ subject }) => subject.publicId))];
    const query = {
      readConcern: CONCERN[effect].readConcern,
      batchSize: ids.length + 1,
    };
    const found = await Deadline.in(STATEMENT_MS).run(() => this.rows.find({ _id: { $in: ids } }, query).toArray());
    const rows = new Map(found.map((row) => [row._id, row]));

    return places.map(({ key, index }, place) => {
      const row = rows.get(key.subject.publicId);
      // A wrong secret costs no more than an unknown id: its time must not tell them apart.
      if (row === undefined || !proves(row, key.subject.proof)) return null;
      const { recent, secret_hmac: _hidden, ...rest } = row;
      const batch = row.revoked_at === null ? recent.find((one) => one.batch === key.batch) : undefined;
      // The key has ended, or other gateways have pushed the batch out of `recent`: a statement of its own decides.
      if (batch === undefined) return complete ? this.admitOne(subjects[place] as Subject, effect) : UNDECIDED;
      return { ...rest, n: Math.min(batch.before + index + 1, KEY_LIMIT + 1), win: batch.win, seen_at: batch.at };
    });
  }

  /** Counts by one command; false when the server gave up on it, having counted some keys or none. */
  private async countMany(updates: readonly object[], effect: Effect): Promise<boolean> {
    const { writeConcern } = CONCERN[effect];
    try {
      await this.db.command({ update: this.rows.name, updates, ordered: false, writeConcern });
      return true;
    } catch (error) {
      if (serverGaveUp(error)) return false;
      throw error;
    }
  }
}

const noteStatement = (by: 'one' | 'shared', requests: number): void => {
  admissions.add(requests, { by });
  statements.add(1, { by });
};

/** Whether a key is its request's own, as the filter of its update asks. */
const proves = (row: KeyRow, proof: Subject['proof']): boolean =>
  'key_id' in proof
    ? row.key_id === proof.key_id
    : row.sandbox === proof.sandbox && row.secret_hmac !== null && proof.secret_hmac.$in.includes(row.secret_hmac);

/** The filter that only an active key matches, with the proof that the request is its own. */
const activeKey = ({ publicId, proof }: Subject) => ({
  _id: publicId,
  ...proof,
  revoked_at: null,
  $expr: { $gt: [{ $ifNull: ['$expires_at', NEVER] }, '$$NOW'] },
});
