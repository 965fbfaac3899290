import { randomBytes } from 'node:crypto';
import type { Store } from '@cds/service';
import type { Windows } from '../../edge/port.js';
import { type Auth, makeAuth } from '../people/auth.js';
import { tokenHash } from '../people/auth-database.js';
import { type OperatorPersonRow, People } from '../people/store/people.js';
import { type AdmittedSession, Sessions } from '../people/store/sessions.js';
import { SignInLinks } from '../people/store/sign-in-links.js';
import { isSince } from './domain/operator-person.js';
import { FirstLead } from './store/first-lead.js';

export type AdmittedOperator = { session: AdmittedSession; person: OperatorPersonRow };

export class OperatorPeople {
  readonly people: People<OperatorPersonRow>;
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly firstLead: FirstLead;

  constructor(
    store: Store,
    readonly appUrl: string,
    windows: Pick<Windows, 'count'>,
  ) {
    this.people = new People<OperatorPersonRow>(store, 'operator_people');
    this.sessions = new Sessions(store, 'operator_sessions', windows);
    this.firstLead = new FirstLead(store);
    const links = new SignInLinks(store, 'operator_sign_in_links');
    this.auth = makeAuth(store, appUrl, { people: this.people as never, sessions: this.sessions, links });
  }

  /** The operator of a session's token; null when it is unknown or has ended, or its person was removed. */
  async admit(token: string, effect: 'read' | 'write', maxTimeMs: number): Promise<AdmittedOperator | null> {
    const session = await this.sessions.admit(tokenHash(token), effect, maxTimeMs);
    const person = session === null ? null : await this.people.byId(session.person_id);
    if (session === null || person === null || !isSince(person, session.created_at)) return null;
    return { session, person };
  }

  /** A link for the first lead, to be printed; null when there is a team, or another process printed one. */
  async linkForFirstLead(): Promise<string | null> {
    if ((await this.people.rows.findOne({})) !== null) return null;
    const token = randomBytes(24).toString('base64url');
    return (await this.firstLead.offer(tokenHash(token))) ? `${this.appUrl}/ops/first-lead/${token}` : null;
  }
}
