import { createHash, randomBytes } from 'node:crypto';
import { type FormBrowser, formTokenIn } from './forms.js';
import { ask, type HttpAnswer } from './http.js';

/** Where the clients of these tests take their answers. Nothing listens there. */
export const REDIRECT = 'http://127.0.0.1:49152/callback';

/** A client that has begun a sign-in, with the secret half of its proof. */
export type BegunClient = { clientId: string; verifier: string; state: string; url: string; resource: string };

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const postForm = (url: string, path: string, fields: Record<string, string>): Promise<HttpAnswer> =>
  ask(url, path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams(fields).toString(),
  });

export const register = (url: string, over: Record<string, unknown> = {}): Promise<HttpAnswer> =>
  ask(url, '/connect/register', {
    method: 'POST',
    body: { client_name: 'Test agent', redirect_uris: [REDIRECT], ...over },
  });

/** The two endpoints that a client may ask tokens for. */
export const MCP_RESOURCE = 'http://app.test/api/mcp';
export const REST_RESOURCE = 'http://app.test/api/v1';

/** Registers a client and makes its proof. It asks for tokens for MCP, or for another resource. */
export const aClient = async (
  url: string,
  over: Record<string, unknown> = {},
  resource = MCP_RESOURCE,
): Promise<BegunClient> => {
  const { client_id: clientId } = (await register(url, over)).json as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  return { clientId, verifier, state: randomBytes(8).toString('hex'), url, resource };
};

/** The address that a client opens in its person's browser. */
export const authorizePath = (client: BegunClient, over: Record<string, string> = {}): string =>
  `/connect?${new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: REDIRECT,
    state: client.state,
    code_challenge: challengeOf(client.verifier),
    code_challenge_method: 'S256',
    resource: client.resource,
    ...over,
  })}`;

/** Opens a sign-in in a browser: the path of its page. */
export const openSignIn = async (browser: FormBrowser, client: BegunClient): Promise<string> => {
  const begun = await browser.get(authorizePath(client));
  const location = begun.headers.get('location') ?? '';
  if (begun.status !== 303) throw new Error(`no sign-in: ${begun.status} ${begun.text}`);
  return new URL(location, client.url).pathname;
};

/** What the client's own address gets after the person's decision. */
export const answerTo = async (browser: FormBrowser, decided: HttpAnswer): Promise<URLSearchParams> => {
  const [, onward = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(decided.text) ?? [];
  const back = await browser.get(onward);
  const location = back.headers.get('location');
  if (location === null) throw new Error(`the client got no answer: ${back.status} ${back.text}`);
  return new URL(location).searchParams;
};

/** A person lets the client act as a key: the code that the client gets. */
export const allowed = async (browser: FormBrowser, client: BegunClient, keyId: string): Promise<string> => {
  const path = await openSignIn(browser, client);
  const shown = await browser.get(path);
  const form_token = formTokenIn(shown.text, path);
  const answer = await answerTo(browser, await browser.post(path, { form_token, key: keyId }));
  if (answer.get('iss') !== new URL(client.resource).origin || answer.get('state') !== client.state)
    throw new Error(`a wrong answer: ${answer}`);
  return answer.get('code') ?? '';
};

export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string };

export const redeem = (client: BegunClient, code: string, over: Record<string, string> = {}): Promise<HttpAnswer> =>
  postForm(client.url, '/connect/token', {
    grant_type: 'authorization_code',
    client_id: client.clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: client.verifier,
    resource: client.resource,
    ...over,
  });

export const refresh = (client: BegunClient, token: string, over: Record<string, string> = {}): Promise<HttpAnswer> =>
  postForm(client.url, '/connect/token', {
    grant_type: 'refresh_token',
    client_id: client.clientId,
    refresh_token: token,
    ...over,
  });

export const revoke = (client: BegunClient, token: string): Promise<HttpAnswer> =>
  postForm(client.url, '/connect/revoke', { client_id: client.clientId, token });

export const signedIn = async (browser: FormBrowser, client: BegunClient, keyId: string): Promise<Tokens> =>
  (await redeem(client, await allowed(browser, client, keyId))).json as Tokens;
