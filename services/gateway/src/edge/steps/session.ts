import type { PrincipalMandate } from '@cds/contracts';
import { rightOf } from '../../domain/rights.js';
import { scopesOf } from '../../domain/roles.js';
import { cookieIn, OPS_SESSION_COOKIE, SESSION_COOKIE } from '../../people/cookies.js';
import type { AdmittedPerson } from '../../people/session-admission.js';
import { roleVersionOf } from '../../store/members.js';
import { SESSION_LIMIT } from '../../store/sessions.js';
import type { Edge } from '../edge.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';
import { type Caller, mandateOf, withoutWorkspace } from './caller.js';
import { sentCredential } from './credential.js';
import { rateOf } from './rate.js';

/**
 * The session token of a request. An Authorization header alone decides who calls: a request that has one is never a
 * person's, so that no request has two callers.
 */
export const sessionTokenOf = (exchange: Exchange, cookie: string): string | null =>
  sentCredential(exchange) ? null : cookieIn(headerValues(exchange.raw, 'cookie'), cookie);

/** Step 4 without a living session. */
export const noSession = (exchange: Exchange): EdgeRefusal =>
  new EdgeRefusal(
    'unauthorized',
    sentCredential(exchange)
      ? 'People call this path with their session. Send the request without an Authorization header.'
      : 'There is no session, or it has ended. Sign in again.',
    undefined,
    { 'WWW-Authenticate': 'Bearer' },
  );

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

/**
 * Step 4 with a session (docs/domain/access.md#sign-in). On the API, a person acts as the workspace's own agent key
 * with the scopes of the role; the audit names the person.
 */
export const admitSession = async (
  edge: Edge,
  exchange: Exchange,
  audience: 'brand' | 'person',
  effect: 'read' | 'write',
): Promise<Caller> => {
  const token = sessionTokenOf(exchange, SESSION_COOKIE);
  const found =
    token === null ? null : await edge.people.admission.admit(token, effect, exchange.deadline.remainingMs());
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

/** Step 4 with the session of a person of the operator's team (docs/domain/access.md#operators). */
export const admitOperatorSession = async (
  edge: Edge,
  exchange: Exchange,
  effect: 'read' | 'write',
): Promise<Caller> => {
  const token = sessionTokenOf(exchange, OPS_SESSION_COOKIE);
  const found =
    token === null ? null : await edge.people.operators.admit(token, effect, exchange.deadline.remainingMs());
  if (found === null) throw noSession(exchange);

  const { session, person } = found;
  exchange.rate = rateOf(session, SESSION_LIMIT, 'session');
  const caller = withoutWorkspace('operator', session.seen_at);
  const operator = { id: person._id, name: person.name, role: person.role, session: session._id };
  return { ...caller, commandOwner: `operator:${person._id}`, principal: { ...caller.principal, operator } };
};
