import type { PrincipalMandate } from '@cds/contracts';
import { type Caller, type Exchange, noSession, rateOf, SESSION_COOKIE, sessionTokenOf } from '../../edge/port.js';
import { scopesOf } from '../people/domain/roles.js';
import type { AdmittedPerson, SessionAdmission } from '../people/session-admission.js';
import { roleVersionOf } from '../people/store/members.js';
import { SESSION_LIMIT } from '../people/store/sessions.js';
import { rightOf } from '../rights/domain/rights.js';
import { mandateOf } from './keys.js';

export type SessionCallers = { admission: Pick<SessionAdmission, 'admit'> };

/** The mandate of the own agent key, with the terms that this person accepted (docs/domain/orders.md#mandate). */
const personalMandate = ({ ownKey, acceptance }: AdmittedPerson): PrincipalMandate | null => {
  if (ownKey.mandate === null) return null;
  return {
    ...mandateOf(ownKey.mandate),
    terms_version: acceptance?.terms_version ?? null,
    terms_accepted_at: acceptance?.at.toISOString() ?? null,
    terms_accepted_email: acceptance?.email ?? null,
  };
};

const ofPerson = (found: AdmittedPerson, audience: 'brand' | 'person'): Caller => {
  const { session, member, ownKey } = found;
  return {
    principal: {
      audience,
      workspace: ownKey.ws,
      workspace_name: ownKey.ws_name,
      reads_workspace: ownKey.reads_ws,
      sandbox: ownKey.sandbox,
      key: ownKey.key_id,
      scopes: scopesOf(member.role),
      mandate: personalMandate(found),
      mandate_version: ownKey.mandate_version,
      rights: {
        [rightOf.member(member._id)]: roleVersionOf(member),
        [rightOf.workspace(ownKey.ws)]: ownKey.suspension_version,
      },
      person: { id: member.person_id, member: member._id, role: member.role, session: session._id },
    },
    // A person may change workspace within a session, and a command belongs to one workspace.
    commandOwner: `person:${member.person_id}|${ownKey.ws}`,
    suspended: ownKey.suspended,
    faultsArmed: ownKey.sandbox_state?.faults ?? false,
    resetting: ownKey.sandbox_state?.resetting ?? false,
    networkNow: session.seen_at,
    now: new Date(session.seen_at.getTime() + ownKey.offset_ms),
  };
};

/** Step 4 with a session (docs/domain/sign-in.md#sign-in): on the API, a person acts as the own agent key. */
export const admitSession = async (
  { admission }: SessionCallers,
  exchange: Exchange,
  audience: 'brand' | 'person',
  effect: 'read' | 'write',
): Promise<Caller> => {
  const token = sessionTokenOf(exchange, SESSION_COOKIE);
  const found = token === null ? null : await admission.admit(token, effect, exchange.deadline.remainingMs());
  if (found === null) throw noSession(exchange);

  exchange.rate = rateOf(found.session, SESSION_LIMIT, 'session');
  exchange.keyId = found.ownKey.key_id;
  if (audience === 'brand')
    exchange.account = {
      workspace: found.ownKey.ws,
      keyId: found.ownKey.key_id,
      transport: 'app',
      at: found.session.seen_at,
    };
  return ofPerson(found, audience);
};
