import type { Answer } from '../edge/http/answer.js';
import { broughtCredential, unauthorizedMessage } from '../edge/steps/credential.js';
import type { Exchange } from '../edge/http/exchange.js';
import { EdgeRefusal } from '../edge/http/refusal.js';
import { RPC, type RpcId, rpcError } from './rpc.js';

/** The sign-in challenge of the keyed tool server (RFC 9728; domain 4-doors 8). */
export const challengeOf = (appUrl: string, brought: boolean): string => {
  const metadata = `Bearer resource_metadata="${appUrl}/.well-known/oauth-protected-resource/api/mcp"`;
  return brought ? `${metadata}, error="invalid_token"` : metadata;
};

/** Check 4 at the tool server: raised like REST's, with this door's challenge. */
export const mcpUnauthorized =
  (appUrl: string) =>
  (exchange: Exchange): EdgeRefusal =>
    new EdgeRefusal('unauthorized', unauthorizedMessage(exchange), undefined, {
      'WWW-Authenticate': challengeOf(appUrl, broughtCredential(exchange)),
    });

/** The body of a 401 at the tool server: where to sign in and where keys are made. */
export const unauthorizedAnswer = (appUrl: string, refusal: EdgeRefusal, id: RpcId): Answer =>
  rpcError(
    401,
    {
      code: RPC.unauthorized,
      message: refusal.message,
      data: { code: 'unauthorized', sign_in: `${appUrl}/connect`, developers_url: `${appUrl}/developers` },
    },
    id,
    refusal.headers,
    { code: 'unauthorized' },
  );
