import type { KeyRow, Keys } from '../keys/store/keys.js';
import type { AcceptanceRow, Mandates } from '../keys/store/mandates.js';
import { tokenHash } from './auth-database.js';
import type { MemberRow, Members } from './store/members.js';
import type { AdmittedSession, SessionRow, Sessions } from './store/sessions.js';

export type AdmittedPerson = {
  session: AdmittedSession;
  member: MemberRow;
  ownKey: KeyRow;
  acceptance: AcceptanceRow | null;
};

/** Authenticates the requests of signed-in people of brands. Each request reads everything from the database. */
export class SessionAdmission {
  constructor(
    private readonly sessions: Sessions,
    private readonly members: Members,
    private readonly keys: Pick<Keys, 'own'>,
    private readonly mandates: Pick<Mandates, 'acceptedBy'>,
  ) {}

  /** The person of a session; null when it is unknown or has ended, or its person was removed from the brand. */
  async admit(token: string, effect: 'read' | 'write', maxTimeMs: number): Promise<AdmittedPerson | null> {
    const session = await this.sessions.admit(tokenHash(token), effect, maxTimeMs);
    return session === null ? null : this.personOf(session);
  }

  /** The person of a session that was admitted before, as it is now; no request is counted. */
  async again(sessionId: string): Promise<Omit<AdmittedPerson, 'session'> | null> {
    const session = await this.sessions.living(sessionId);
    return session === null ? null : this.personOf(session);
  }

  private async personOf<Session extends SessionRow>(session: Session) {
    if (session.brand_id === undefined || session.workspace === undefined || session.own_key === undefined) return null;
    const [member, ownKey, acceptance] = await Promise.all([
      this.members.in(session.brand_id, session.person_id),
      this.keys.own(session.workspace),
      this.mandates.acceptedBy(session.own_key, session.person_id),
    ]);
    // A person who was removed and invited again is another member: older sessions stay ended.
    if (member?._id !== session.member || member === null || ownKey === null) return null;
    return { session, member, ownKey, acceptance };
  }
}
