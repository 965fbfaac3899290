import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OperationDeclaration, Principal, PrincipalMandate } from '@cds/contracts';
import type { StoredMandate } from '../../domain/mandate.js';
import { readOperatorToken } from '../../keys/operator-token.js';
import { type AdmittedKey, KEY_LIMIT } from '../../store/keys.js';
import { clientNetworkOf } from '../http/client-address.js';
import { bearerOf, credentialOf, unauthorized } from './credential.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import { rateOf } from './rate.js';
import type { EdgeRefusal } from '../http/refusal.js';

/** Who a request comes from, as the stage of the credential found it, with both clocks (reliability 3.1). */
export type Caller = {
  principal: Principal;
  /** What command ids are made by: the key's uuid, or the kind of a caller without one. */
  commandOwner: string;
  suspended: boolean;
  now: Date;
  networkNow: Date;
};

/** Requests per minute of an operator's token (domain 4-doors 11). */
const OPERATOR_LIMIT = 600;

/** What a client address is counted for, and how many requests of a minute it has there. */
export type AddressWindow = { name: string; limit: number };

/** Pages and documents (domain 4-doors 11). */
export const PAGES: AddressWindow = { name: 'address', limit: 120 };
/** Pictures: a list shows one per row, and whoever looks at lists still opens pages (A). */
export const PICTURES: AddressWindow = { name: 'pictures', limit: 1_200 };
/** Facts of the network: programs poll them, and never use up the pages of a person at the same address (A). */
export const FACTS: AddressWindow = { name: 'facts', limit: 120 };
/**
 * Callbacks of payment rails: a provider sends those of all orders from a few addresses, several for one payment, and
 * repeats for days what is answered 429 (A).
 */
export const RAILS: AddressWindow = { name: 'rails', limit: 1_200 };

const mandateOf = (mandate: StoredMandate): PrincipalMandate => ({
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
  },
  commandOwner: key.key_id,
  suspended: key.suspended,
  networkNow: key.seen_at,
  now: new Date(key.seen_at.getTime() + key.offset_ms),
});

/** A caller who is no brand: the operator, or the gateway itself for the public. */
const without = (audience: 'operator' | 'system', at: Date): Caller => ({
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
  networkNow: at,
  now: at,
});

/** Check 4 with a key, counting it for check 5: one statement authenticates, counts and tells the time. */
export const admitKey = async (
  edge: Edge,
  exchange: Exchange,
  effect: 'read' | 'write',
  refusal: (exchange: Exchange) => EdgeRefusal = unauthorized,
): Promise<Caller> => {
  const credential = credentialOf(exchange);
  if (credential === null) throw refusal(exchange);
  const key = await edge.keys.admit(credential, effect);
  if (key === null) throw refusal(exchange);

  exchange.rate = rateOf(key, KEY_LIMIT, 'key');
  exchange.keyId = key.key_id;
  return ofKey(key);
};

/** Whether two secrets are equal, in a time that tells nothing. */
const same = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};

type Operator = NonNullable<Principal['operator']>;

/** The configured token is a lead's; any other is looked up, when its form is right. */
const operatorOf = async (edge: Edge, exchange: Exchange): Promise<Operator | null> => {
  const token = bearerOf(exchange);
  if (token === null) return null;
  if (same(token, edge.opsToken)) return { id: 'configured', name: 'configured token', role: 'lead' };
  const credential = readOperatorToken(token);
  const row = credential === null ? null : await edge.operators.admit(credential, exchange.deadline.remainingMs());
  return row === null ? null : { id: row.operator_id, name: row.name, role: row.role };
};

const admitOperator = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const operator = await operatorOf(edge, exchange);
  if (operator === null) throw unauthorized(exchange);

  const own = operator.id === 'configured' ? 'operator' : `operator:${operator.id}`;
  const window = await edge.windows.count(own, OPERATOR_LIMIT, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, OPERATOR_LIMIT, 'key');
  const caller = without('operator', window.seen_at);
  return { ...caller, commandOwner: own, principal: { ...caller.principal, operator } };
};

/** Counts a client address where no credential is taken. */
export const admitAddress = async (edge: Edge, exchange: Exchange, { name, limit }: AddressWindow): Promise<Caller> => {
  const id = createHmac('sha256', edge.opsToken)
    .update(`address|${clientNetworkOf(exchange.address)}`)
    .digest('base64url');
  const window = await edge.windows.count(`${name}:${id}`, limit, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, limit, 'address');
  return without('system', window.seen_at);
};

/** Check 4 of an operation, by its audience (domain 4-doors 1): a credential of another audience is unknown. */
export const callerStage = (edge: Edge, exchange: Exchange, operation: OperationDeclaration): Promise<Caller> => {
  switch (operation.audience) {
    case 'brand':
    case 'sandbox':
      return admitKey(edge, exchange, operation.effect);
    case 'operator':
      return admitOperator(edge, exchange);
    case 'public':
      return admitAddress(edge, exchange, FACTS);
    case 'person':
    case 'internal':
      // No credential of a person is known yet, and none opens what services ask of each other.
      return Promise.reject(unauthorized(exchange));
  }
};
