import { bearerOf, type Caller, type Exchange, type Unauthorized, unknownCredential } from '../../edge/port.js';
import { resourceOf, type Transport } from '../oauth/resource.js';
import { isAccessToken } from '../oauth/token-format.js';
import { rightOf } from '../rights/domain/rights.js';
import { callerOf, type KeyCallers } from './keys.js';

/** Step 4 with a token of sign-in (docs/domain/sign-in.md#mcp-sign-in): its key's own statement admits it. */
export const admitToken = async (
  deps: KeyCallers & { appUrl: string },
  exchange: Exchange,
  effect: 'read' | 'write',
  transport: Transport,
  refusal: Unauthorized,
): Promise<Caller> => {
  const token = bearerOf(exchange);
  if (token === null || !isAccessToken(token)) throw refusal(exchange);
  const granted = await deps.oauthRows.keyOf(token, resourceOf(deps.appUrl, transport), effect);
  const found = granted === null ? null : await deps.keys.admitGranted(granted, effect);
  if (granted === null || found === null) throw await unknownCredential(exchange, refusal);
  const caller = await callerOf(deps, exchange, found, effect, refusal);
  const { principal } = caller;
  const rights = { ...principal.rights, [rightOf.grant(granted.grant_id)]: 0 };
  return { ...caller, principal: { ...principal, grant: granted.grant_id, rights } };
};
