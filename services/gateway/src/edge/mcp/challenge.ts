import type { Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';
import { sentCredential, unauthorizedMessage } from '../steps/credential.js';
import { RPC, type RpcId, rpcError } from './rpc.js';

const metadataOf = (appUrl: string): string =>
  `resource_metadata="${appUrl}/.well-known/oauth-protected-resource/api/mcp"`;

/** The sign-in challenge of the MCP endpoint (RFC 9728; docs/domain/sign-in.md#mcp-sign-in). */
const challengeOf = (appUrl: string, sent: boolean): string => {
  const metadata = `Bearer ${metadataOf(appUrl)}`;
  return sent ? `${metadata}, error="invalid_token"` : metadata;
};

/** Asks a client that signed in for a key with the scope; one with a key has nobody to ask, and gets a result. */
export const scopeChallenge = (appUrl: string, scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", ${metadataOf(appUrl)}`;

/** The 401 of the MCP endpoint: raised as by REST, with its own challenge. */
export const mcpUnauthorized =
  (appUrl: string) =>
  (exchange: Exchange): EdgeRefusal =>
    new EdgeRefusal('unauthorized', unauthorizedMessage(exchange), undefined, {
      'WWW-Authenticate': challengeOf(appUrl, sentCredential(exchange)),
    });

/** The JSON-RPC body of a 401: where to sign in, and where to make a key. */
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
