import type { Collection, Store } from '@cds/service';
import type { WindowFields, Windows } from '../../../edge/port.js';

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
} & Partial<Place>;

/** A session with the window that counted this request. */
export type AdmittedSession = SessionRow & WindowFields;

/** Requests per minute of one session (docs/domain/requests.md#rate-limits). */
export const SESSION_LIMIT = 600;

const HOUR_MS = 3_600_000;
/** How long a session lives without a request, and at most (docs/domain/sign-in.md#sign-in). */
export const IDLE_MS = 12 * HOUR_MS;
export const LIFE_MS = 30 * 24 * HOUR_MS;

/** How much of its idle time a session uses before that is written. */
const IDLE_STEP_MS = HOUR_MS / 12;

/** A write goes by no session that another primary has ended. */
const CONCERN = { read: { level: 'local' }, write: { level: 'linearizable' } } as const;

/**
 * Sessions: of brands' people, or of the operator's team, in a collection each. Requests of a session write to its row,
 * so no transaction may: it would hold them up. A session of somebody who was removed is refused instead.
 */
export class Sessions {
  readonly rows: Collection<SessionRow>;

  constructor(
    store: Store,
    readonly name: string,
    private readonly windows: Pick<Windows, 'count'>,
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

  /** Finds a living session, counts the request and moves its idle end now and then; null when there is none. */
  async admit(tokenHash: string, effect: 'read' | 'write', maxTimeMs: number): Promise<AdmittedSession | null> {
    const living = { token: tokenHash, $expr: { $gt: ['$expires_at', '$$NOW'] } };
    const row = await this.rows.findOne(living, { readConcern: CONCERN[effect], maxTimeMS: maxTimeMs });
    if (row === null) return null;
    const { win, n, seen_at } = await this.windows.count(`${this.name}:${row._id}`, maxTimeMs);
    const idleEnd = new Date(Math.min(row.ends_at.getTime(), seen_at.getTime() + IDLE_MS));
    if (idleEnd.getTime() - row.expires_at.getTime() > IDLE_STEP_MS)
      await this.rows.updateOne({ _id: row._id }, { $max: { expires_at: idleEnd } }, { writeConcern: { w: 1 } });
    return { ...row, win, n, seen_at };
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
