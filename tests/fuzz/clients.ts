import { aClient, formBrowser, signedIn } from '@cds/gateway/testing';
import type { SharedStack } from '../support/stack.js';
import type { Call } from './callers.js';
import type { Cookie } from './people.js';

/** The access tokens of clients that a person signed in as a key: one for MCP, and one for REST. */
export type ClientTokens = { mcp: string; rest: string };

/** Clients signed in as a key, and the ids of others that nobody uses, which requests may end. */
export type Clients = { tokens: ClientTokens; spare: readonly string[] };

const SPARE = 'spare client';

/** Signs clients in as a key of the session's workspace (docs/domain/sign-in.md#mcp-sign-in). */
export const clientsOf = async (
  stack: SharedStack,
  { asOwner, cookie, keyId }: { asOwner: Call; cookie: Cookie; keyId: string },
): Promise<Clients> => {
  const tokenFor = async (path: string, name: string): Promise<string> => {
    const client = await aClient(stack.appUrl, { client_name: name }, `${stack.appUrl}${path}`);
    return (await signedIn(formBrowser(stack.appUrl, cookie), client, keyId)).access_token;
  };
  const tokens = { mcp: await tokenFor('/api/mcp', 'for MCP'), rest: await tokenFor('/api/v1', 'for REST') };
  await tokenFor('/api/mcp', SPARE);
  const { clients } = await asOwner('clients_list', {});
  return { tokens, spare: clients.filter(({ name }) => name === SPARE).map(({ id }) => id) };
};
