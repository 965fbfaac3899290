import { createHmac, timingSafeEqual } from 'node:crypto';
import { GUEST_REQUESTS_PER_MINUTE } from '@cds/contracts';
import type { Caller } from '../callers.js';
import type { Edge } from '../edge.js';
import { rateLimitAddressOf } from '../http/client-address.js';
import type { Exchange } from '../http/exchange.js';
import { bearerOf, unauthorizedRelay, unknownCredential } from './credential.js';
import { type Rate, rateOf } from './rate.js';

/** Requests per minute of an operator's token, and of the mail relay (docs/domain/requests.md#rate-limits). */
export const OPERATOR_LIMIT = 600;

export type AddressWindow = { name: string; limit: number; reason?: Rate['reason'] };

/** Pages and documents (docs/domain/requests.md#rate-limits). */
export const PAGE_WINDOW: AddressWindow = { name: 'address', limit: 120 };
/** Avatars: a list shows one per row, and must leave its reader enough requests for pages (A). */
export const PICTURE_WINDOW: AddressWindow = { name: 'pictures', limit: 1_200 };
/** `network_facts`: programs poll it, and must leave a person at the same address enough requests for pages (A). */
export const NETWORK_FACTS_WINDOW: AddressWindow = { name: 'facts', limit: 120 };
/** What creators do with the token of a link (docs/domain/requests.md#rate-limits). */
export const CREATOR_WINDOW: AddressWindow = { name: 'creators', limit: 120 };
/** Sign-up, sign-in and all else that needs no credential but changes something (A). */
export const VISITOR_WINDOW: AddressWindow = { name: 'visitors', limit: 120 };
/** Tokens of MCP clients, which refresh those of many people from one address (A). */
export const TOKEN_WINDOW: AddressWindow = { name: 'tokens', limit: 1_200 };
/** Reports of keys: a scanner reports many, and must not use up what people need for pages (A). */
export const REPORT_WINDOW: AddressWindow = { name: 'reports', limit: 120 };
/** The tools of guests (docs/domain/mcp.md#guests). */
const GUEST_WINDOW: AddressWindow = { name: 'guests', limit: GUEST_REQUESTS_PER_MINUTE, reason: 'guest_rate' };
/**
 * A provider sends the callbacks of all orders from a few addresses, and repeats for days what was answered 429 (A).
 */
export const RAIL_WINDOW: AddressWindow = { name: 'rails', limit: 1_200 };

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

export const equalSecrets = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};

/** The mail relay, by the one token of the settings; without one, nobody is (docs/domain/pages.md#messages). */
export const admitRelay = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const token = bearerOf(exchange);
  if (token === null || edge.relayToken === '' || !equalSecrets(token, edge.relayToken))
    throw await unknownCredential(exchange, unauthorizedRelay);

  const window = await edge.windows.count('relay', exchange.deadline.remainingMs());
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
  const window = await edge.windows.count(`${name}:${id}`, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, limit, 'address', reason);
  return { ...withoutWorkspace('system', window.seen_at), commandOwner: `${name}:${id}` };
};

/** Identifies a guest, who has no credential: an Authorization header is ignored (docs/domain/mcp.md#guests). */
export const admitGuest = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const caller = await admitAddress(edge, exchange, GUEST_WINDOW);
  const guest = { address: addressIdOf(edge, exchange) };
  return { ...caller, principal: { ...caller.principal, audience: 'guest', guest } };
};
