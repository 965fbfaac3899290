import type { Collection, Store } from '@cds/service';
import { type WindowFields, windowFields } from '../../../edge/port.js';

/** Where a session of a brand's person is, and as which member: set when it starts, and by a change of workspace. */
export type Place = { brand_id: string; workspace: string; own_key: string; member: string };

/** A signed-in person's session. The sign-in module makes these rows, by these names. */
export type SessionRow = {
  _id: string;
  /** The SHA-256 of the cookie's token. */
  token: string;
  person_id: string;
  created_at: Date;
  updated_at: Date;
  /** When it ends unless it is used: within `ends_at`, at most IDLE_MS after the last request. */
  expires_at: Date;
  ends_at: Date;
} & Partial<Place> &
  Partial<WindowFields>;

/** A session whose window has counted this request. */
export type AdmittedSession = SessionRow & WindowFields;

/** Requests per minute of one session (docs/domain/requests.md#rate-limits). */
export const SESSION_LIMIT = 600;

const HOUR_MS = 3_600_000;
/** How long a session lives without a request, and at most (docs/domain/sign-in.md#sign-in). */
export const IDLE_MS = 12 * HOUR_MS;
export const LIFE_MS = 30 * 24 * HOUR_MS;

/** Majority for a write, so that it never overtakes the end of its session. */
const CONCERN = { read: { w: 1 }, write: { w: 'majority', j: true } } as const;

/**
 * Sessions: of brands' people, or of the operator's team, in a collection each. Every request of a session writes to
 * its row, so no transaction may: it would hold the request up. A session of somebody who was removed is refused
 * instead.
 */
export class Sessions {
  readonly rows: Collection<SessionRow>;

  constructor(
    store: Store,
    readonly name: string,
  ) {
    this.rows = store.collection<SessionRow>({
      name,
      indexes: [
        { key: { token: 1 }, unique: true },
        { key: { person_id: 1, brand_id: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ],
    });
  }

  /** Finds a living session, counts the request and moves its idle end, in one statement; null when there is none. */
  admit(tokenHash: string, effect: 'read' | 'write', maxTimeMs: number): Promise<AdmittedSession | null> {
    const idle = { $min: ['$ends_at', { $add: ['$$NOW', IDLE_MS] }] };
    return this.rows.findOneAndUpdate(
      { token: tokenHash, $expr: { $gt: ['$expires_at', '$$NOW'] } },
      [{ $set: { ...windowFields(SESSION_LIMIT), expires_at: { $max: ['$expires_at', idle] } } }],
      { returnDocument: 'after', writeConcern: CONCERN[effect], maxTimeMS: maxTimeMs },
    ) as Promise<AdmittedSession | null>;
  }

  /** A session while it lives, by its id; nothing is counted. */
  async living(id: string): Promise<SessionRow | null> {
    return this.rows.findOne({ _id: id, $expr: { $gt: ['$expires_at', '$$NOW'] } });
  }

  /** Puts a session into a workspace; false when it has ended. */
  async place(id: string, { brand_id, workspace, own_key, member }: Place): Promise<boolean> {
    const done = await this.rows.updateOne({ _id: id }, { $set: { brand_id, workspace, own_key, member } });
    return done.matchedCount === 1;
  }

  async end(id: string): Promise<void> {
    await this.rows.deleteOne({ _id: id });
  }

  async endOthersOf(personId: string, id: string): Promise<void> {
    await this.rows.deleteMany({ person_id: personId, _id: { $ne: id } });
  }

  async endAllOf(personId: string): Promise<void> {
    await this.rows.deleteMany({ person_id: personId });
  }
}
