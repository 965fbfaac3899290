import { createHmac, timingSafeEqual } from 'node:crypto';
import { GUEST_REQUESTS_PER_MINUTE, type Principal, type PrincipalMandate } from '@cds/contracts';
import { underParent } from '../../domain/child-key.js';
import type { StoredMandate } from '../../domain/mandate.js';
import { rightOf } from '../../domain/rights.js';
import { readOperatorToken } from '../../keys/operator-token.js';
import { type AdmittedKey, KEY_LIMIT } from '../../store/key-admission.js';
import type { Edge } from '../edge.js';
import { rateLimitAddressOf } from '../http/client-address.js';
import type { Exchange } from '../http/exchange.js';
import type { EdgeRefusal } from '../http/refusal.js';
import {
  bearerOf,
  credentialOf,
  unauthorized,
  unauthorizedOperator,
  unauthorizedRelay,
  unknownCredential,
} from './credential.js';
import { TOOLS_PATH } from './host.js';
import { type Rate, rateOf, tighterOf } from './rate.js';

/** Who a request comes from, with both clocks (docs/reliability.md#clocks). */
export type Caller = {
  principal: Principal;
  /** The owner of command ids: the key's uuid, or the kind of a caller without one. */
  commandOwner: string;
  suspended: boolean;
  /** Whether a developer armed faults in the caller's sandbox, so that its calls look for one. */
  faultsArmed: boolean;
  /** Whether the caller's sandbox is being reset. */
  resetting: boolean;
  now: Date;
  networkNow: Date;
};

/** Requests per minute of an operator's token, and of the mail relay (docs/domain/access.md#rate-limits). */
const OPERATOR_LIMIT = 600;

/** What a client address is counted for, its requests per minute there, and the reason of a refusal. */
export type AddressWindow = { name: string; limit: number; reason?: Rate['reason'] };

/** Pages and documents (docs/domain/access.md#rate-limits). */
export const PAGE_WINDOW: AddressWindow = { name: 'address', limit: 120 };
/** Avatars: a list shows one per row, and must leave its reader enough requests for pages (A). */
export const PICTURE_WINDOW: AddressWindow = { name: 'pictures', limit: 1_200 };
/** `network_facts`: programs poll it, and must leave a person at the same address enough requests for pages (A). */
export const NETWORK_FACTS_WINDOW: AddressWindow = { name: 'facts', limit: 120 };
/** What creators do with the token of a link (docs/domain/access.md#rate-limits). */
export const CREATOR_WINDOW: AddressWindow = { name: 'creators', limit: 120 };
/** Sign-up, sign-in and all else that needs no credential but changes something (A). */
export const VISITOR_WINDOW: AddressWindow = { name: 'visitors', limit: 120 };
/** Tokens of MCP clients, which refresh those of many people from one address (A). */
export const TOKEN_WINDOW: AddressWindow = { name: 'tokens', limit: 1_200 };
/** Reports of keys: a scanner reports many, and must not use up what people need for pages (A). */
export const REPORT_WINDOW: AddressWindow = { name: 'reports', limit: 120 };
/** The tools of guests (docs/domain/access.md#guests). */
export const GUEST_WINDOW: AddressWindow = { name: 'guests', limit: GUEST_REQUESTS_PER_MINUTE, reason: 'guest_rate' };
/**
 * Callbacks of payment rails: a provider sends those of all orders from a few addresses, several per payment, and
 * repeats for days what was answered 429 (A).
 */
export const RAIL_WINDOW: AddressWindow = { name: 'rails', limit: 1_200 };

export const mandateOf = (mandate: StoredMandate): PrincipalMandate => ({
  version: mandate.version,
  max_plan_cents: mandate.max_plan_cents,
  monthly_cap_cents: mandate.monthly_cap_cents,
  channels: mandate.channels,
  may_approve: mandate.may_approve,
  expires_at: mandate.expires_at.toISOString(),
  updated_at: mandate.updated_at.toISOString(),
  terms_version: mandate.terms_version,
  terms_accepted_at: mandate.terms_accepted_at?.toISOString() ?? null,
  terms_accepted_email: mandate.terms_accepted_email,
});

const ofKey = (key: AdmittedKey): Caller => ({
  principal: {
    audience: 'brand',
    workspace: key.ws,
    workspace_name: key.ws_name,
    reads_workspace: key.reads_ws,
    sandbox: key.sandbox,
    key: key.key_id,
    scopes: key.scopes,
    mandate: key.mandate === null ? null : mandateOf(key.mandate),
    mandate_version: key.mandate_version,
    rights: { [rightOf.key(key.key_id)]: key.settings_version, [rightOf.workspace(key.ws)]: key.suspension_version },
    ...earlier(key),
  },
  commandOwner: key.key_id,
  suspended: key.suspended,
  faultsArmed: key.sandbox_state?.faults ?? false,
  resetting: key.sandbox_state?.resetting ?? false,
  networkNow: key.seen_at,
  now: new Date(key.seen_at.getTime() + key.offset_ms),
});

/** A child acts as itself, within what its parent may do now; billing counts its approvals on both. */
const ofChild = (child: AdmittedKey, parent: AdmittedKey): Caller => {
  const caller = ofKey({ ...child, ...underParent(child, parent) });
  const shared = {
    key: parent.key_id,
    monthly_cap_cents: parent.mandate?.monthly_cap_cents ?? 0,
    mandate_version: parent.mandate_version,
  };
  const rights = { ...caller.principal.rights, [rightOf.key(parent.key_id)]: parent.settings_version };
  return { ...caller, principal: { ...caller.principal, parent: shared, rights, ...earlier(child, parent) } };
};

/** When the first of two keys expires, as the principal has it. */
const earlier = (...keys: readonly Pick<AdmittedKey, 'expires_at'>[]): { until?: string } => {
  const ends = keys.flatMap(({ expires_at: at }) => (at === null ? [] : [at.getTime()]));
  return ends.length === 0 ? {} : { until: new Date(Math.min(...ends)).toISOString() };
};

/** A caller other than a brand: the operator, or the gateway itself on behalf of the public. */
export const withoutWorkspace = (audience: 'operator' | 'relay' | 'system', at: Date): Caller => ({
  principal: {
    audience,
    workspace: '',
    workspace_name: '',
    reads_workspace: '',
    sandbox: false,
    key: '',
    scopes: [],
    mandate: null,
    mandate_version: 0,
  },
  commandOwner: audience,
  suspended: false,
  faultsArmed: false,
  resetting: false,
  networkNow: at,
  now: at,
});

/** Whom the request is logged and counted for. */
const identified = (exchange: Exchange, key: AdmittedKey): void => {
  exchange.keyId = key.key_id;
  const transport = exchange.path === TOOLS_PATH ? 'mcp' : 'rest';
  exchange.account = { workspace: key.ws, keyId: key.key_id, transport, at: key.seen_at };
};

/** Step 4 with a key. One statement authenticates it, counts it for step 5 and reads the time. */
export const admitKey = async (
  edge: Edge,
  exchange: Exchange,
  effect: 'read' | 'write',
  refusal: (exchange: Exchange) => EdgeRefusal = unauthorized,
): Promise<Caller> => {
  const credential = credentialOf(exchange);
  if (credential === null) throw refusal(exchange);
  const key = await edge.keys.admit(credential, effect);
  if (key === null) throw await unknownCredential(exchange, refusal);
  return callerOf(edge, exchange, key, effect, refusal);
};

/**
 * Step 4 with an admitted key: a child counts on its parent too; the end of the parent, or of the client that made it,
 * ends the child.
 */
export const callerOf = async (
  edge: Edge,
  exchange: Exchange,
  key: AdmittedKey,
  effect: 'read' | 'write',
  refusal: (exchange: Exchange) => EdgeRefusal,
): Promise<Caller> => {
  const rate = rateOf(key, KEY_LIMIT, 'key');
  if (key.parent === null) {
    exchange.rate = rate;
    identified(exchange, key);
    return ofKey(key);
  }
  const [parent, stands] = await Promise.all([
    edge.keys.admitParent(key.parent, effect),
    typeof key.made_by_grant !== 'string' || edge.oauth.rows.stands(key.made_by_grant, effect),
  ]);
  if (parent === null || !stands) throw await unknownCredential(exchange, refusal);

  exchange.rate = tighterOf(rate, rateOf(parent, KEY_LIMIT, 'parent'));
  identified(exchange, key);
  return ofChild(key, parent);
};

/** Compares two secrets in constant time. */
const equalSecrets = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};

type Operator = NonNullable<Principal['operator']>;

/** The configured token is a lead's. Any other is looked up if it is well-formed. */
const operatorOf = async (edge: Edge, exchange: Exchange): Promise<Operator | null> => {
  const token = bearerOf(exchange);
  if (token === null) return null;
  if (equalSecrets(token, edge.opsToken)) return { id: 'configured', name: 'configured token', role: 'lead' };
  const credential = readOperatorToken(token);
  const row = credential === null ? null : await edge.operatorTokens.admit(credential, exchange.deadline.remainingMs());
  return row === null ? null : { id: row.token_id, name: row.name, role: row.role };
};

export const admitOperator = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const operator = await operatorOf(edge, exchange);
  if (operator === null) throw await unknownCredential(exchange, unauthorizedOperator);

  const own = operator.id === 'configured' ? 'operator' : `operator:${operator.id}`;
  const window = await edge.windows.count(own, OPERATOR_LIMIT, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, OPERATOR_LIMIT, 'key');
  const caller = withoutWorkspace('operator', window.seen_at);
  return { ...caller, commandOwner: own, principal: { ...caller.principal, operator } };
};

/** The mail relay, by the one token of the settings; without one, nobody is (docs/domain/access.md#messages). */
export const admitRelay = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const token = bearerOf(exchange);
  if (token === null || edge.relayToken === '' || !equalSecrets(token, edge.relayToken))
    throw await unknownCredential(exchange, unauthorizedRelay);

  const window = await edge.windows.count('relay', OPERATOR_LIMIT, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, OPERATOR_LIMIT, 'key');
  return withoutWorkspace('relay', window.seen_at);
};

/** The client's address as it is counted and stored: a keyed hash that the same address has on every replica. */
export const addressIdOf = ({ opsToken }: Pick<Edge, 'opsToken'>, exchange: Exchange): string =>
  createHmac('sha256', opsToken)
    .update(`address|${rateLimitAddressOf(exchange.address)}`)
    .digest('base64url');

/** Identifies a caller without a credential, and counts the client's address. */
export const admitAddress = async (
  edge: Edge,
  exchange: Exchange,
  { name, limit, reason }: AddressWindow,
): Promise<Caller> => {
  const id = addressIdOf(edge, exchange);
  const window = await edge.windows.count(`${name}:${id}`, limit, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, limit, 'address', reason);
  return { ...withoutWorkspace('system', window.seen_at), commandOwner: `${name}:${id}` };
};

/** Identifies a guest, who has no credential: an Authorization header is ignored (docs/domain/access.md#guests). */
export const admitGuest = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const caller = await admitAddress(edge, exchange, GUEST_WINDOW);
  const guest = { address: addressIdOf(edge, exchange) };
  return { ...caller, principal: { ...caller.principal, audience: 'guest', guest } };
};
