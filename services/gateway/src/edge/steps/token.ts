import { rightOf } from '../../domain/rights.js';
import { resourceOf, type Transport } from '../../oauth/resource.js';
import { isAccessToken, isTokenLike } from '../../oauth/token-format.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import type { EdgeRefusal } from '../http/refusal.js';
import { type Caller, callerOf } from './caller.js';
import { bearerOf, unauthorized, unknownCredential } from './credential.js';

/** Whether a request comes from a client that signed in for this endpoint, instead of one with a key. */
export const sentToken = (exchange: Exchange, transport: Transport): boolean =>
  isTokenLike(bearerOf(exchange) ?? '', transport);

/**
 * Step 4 with a token of sign-in (docs/domain/access.md#mcp-sign-in). It acts as its key, whose own
 * statement admits the request, so that revoking the key ends it at once.
 */
export const admitToken = async (
  edge: Edge,
  exchange: Exchange,
  effect: 'read' | 'write',
  transport: Transport,
  refusal: (exchange: Exchange) => EdgeRefusal = unauthorized,
): Promise<Caller> => {
  const token = bearerOf(exchange);
  if (token === null || !isAccessToken(token)) throw refusal(exchange);
  const granted = await edge.oauth.rows.keyOf(token, resourceOf(edge.appUrl, transport), effect);
  const key = granted === null ? null : await edge.keys.admitGranted(granted, effect);
  if (granted === null || key === null) throw await unknownCredential(exchange, refusal);
  const caller = await callerOf(edge, exchange, key, effect, refusal);
  const { principal } = caller;
  const rights = { ...principal.rights, [rightOf.grant(granted.grant_id)]: 0 };
  return { ...caller, principal: { ...principal, grant: granted.grant_id, rights } };
};
