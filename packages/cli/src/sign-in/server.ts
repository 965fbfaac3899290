import { CliError, EXIT } from '../failures.js';
import type { SignIn } from '../login-file.js';
import { clean } from '../output.js';
import type { World } from '../world.js';
import { challengeOf, type Proof } from './proof.js';

const TIMEOUT_MS = 30_000;

/** The service as its metadata document describes it (RFC 8414). */
export type Server = { issuer: string; authorize: string; token: string; revoke: string; register: string };

type Fields = Record<string, unknown>;

/** An answer that is no success: the code of OAuth, if it has one. */
class Refused extends CliError {
  readonly code: string;

  constructor(code: string, description: string, status: number) {
    const later = status === 429 || status >= 500;
    const next = later ? 'Run it again later.' : 'Run cds login again, or use a key: cds login --key';
    super(`The service did not sign you in: ${clean(description)}`, next, later ? EXIT.unavailable : EXIT.access);
    this.code = code;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Sends one request of a sign-in. A token may come with its answer, so Ctrl+C does not end it. */
const send = async (world: World, url: string, init: RequestInit): Promise<Fields> => {
  const { host } = new URL(url);
  const limit = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const response = await world.fetch(url, { ...init, ...limit }).catch(() => null);
  if (response === null) throw new CliError(`${host} does not answer.`, 'Run it again later.', EXIT.unavailable);
  const value = (await response.json().catch(() => null)) as Fields | null;
  if (response.ok) return value ?? {};
  const code = textOf(value?.['error']) || `status ${response.status}`;
  throw new Refused(code, textOf(value?.['error_description']) || code, response.status);
};

const post = (world: World, url: string, fields: Record<string, string>): Promise<Fields> =>
  send(world, url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

/** Where the service signs people in. A document that names another address is refused: nothing is sent there. */
export const readServer = async (world: World, url: string): Promise<Server> => {
  const found = await send(world, new URL('/.well-known/oauth-authorization-server', url).href, {
    headers: { accept: 'application/json' },
  });
  const issuer = textOf(found['issuer']);
  const { origin } = new URL(url);
  if (!URL.canParse(issuer) || new URL(issuer).origin !== origin)
    throw new CliError(
      `${origin} signs nobody in itself.`,
      `Use the address of the application: cds login --url ${clean(issuer) || '…'}`,
    );
  const endpoint = (name: string): string => {
    const address = textOf(found[name]);
    if (!URL.canParse(address) || new URL(address).origin !== origin)
      throw new CliError(`${origin} has no ${name}.`, 'Check the address, or use a key: cds login --key');
    return address;
  };
  return {
    issuer,
    authorize: endpoint('authorization_endpoint'),
    token: endpoint('token_endpoint'),
    revoke: endpoint('revocation_endpoint'),
    register: endpoint('registration_endpoint'),
  };
};

/** Registers this program for one sign-in; its person reads the name. */
export const register = async (world: World, { register }: Server, redirectUri: string): Promise<string> => {
  const { client_id: clientId } = await send(world, register, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: `cds on ${world.config.host}`, redirect_uris: [redirectUri] }),
  });
  return textOf(clientId);
};

const resourceOf = ({ issuer }: Server): string => new URL('/api/v1', issuer).href;

export type Begun = { server: Server; clientId: string; redirectUri: string; proof: Proof };

export const pageOf = ({ server, clientId, redirectUri, proof }: Begun): string => {
  const page = new URL(server.authorize);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: proof.state,
    code_challenge: challengeOf(proof),
    code_challenge_method: 'S256',
    resource: resourceOf(server),
  };
  for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
  return page.href;
};

/** The code in what the browser brought back. Raises what the person or the service refused. */
export const codeIn = (answer: URLSearchParams, { server, proof }: Begun): string => {
  if (answer.get('state') !== proof.state || answer.get('iss') !== server.issuer)
    throw new CliError('The answer belongs to another sign-in.', 'Run cds login again.', EXIT.access);
  const error = answer.get('error');
  if (error === 'access_denied')
    throw new CliError('You refused, or your role may not connect programs.', 'Run cds login again.', EXIT.declined);
  const code = answer.get('code');
  if (error !== null || code === null)
    throw new Refused(error ?? 'no code', answer.get('error_description') ?? error ?? 'it sent no code', 400);
  return code;
};

const signInOf = (world: World, url: string, clientId: string, answer: Fields): SignIn => {
  const { access_token, refresh_token, expires_in, scope } = answer;
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string')
    throw new Refused('no token', 'it sent no token', 502);
  const endsAt = world.now() + (typeof expires_in === 'number' ? expires_in : 0) * 1_000;
  return { url, clientId, accessToken: access_token, endsAt, refreshToken: refresh_token, scope: textOf(scope) };
};

export const redeem = async (world: World, begun: Begun, code: string): Promise<SignIn> => {
  const { server, clientId, redirectUri, proof } = begun;
  const answer = await post(world, server.token, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: proof.verifier,
    resource: resourceOf(server),
  });
  return signInOf(world, server.issuer, clientId, answer);
};

/** The next pair of tokens, which replaces this one. Raises that the sign-in has ended. */
export const refresh = async (world: World, { url, clientId, refreshToken }: SignIn): Promise<SignIn> => {
  const { token } = await readServer(world, url);
  try {
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    return signInOf(world, url, clientId, await post(world, token, fields));
  } catch (error) {
    if (error instanceof Refused && ['invalid_grant', 'invalid_client'].includes(error.code))
      throw new CliError(`The sign-in at ${url} has ended.`, 'Sign in again: cds login', EXIT.access);
    throw error;
  }
};

/** Ends the sign-in at the service, with both of its tokens. */
export const revoke = async (world: World, { url, clientId, refreshToken }: SignIn): Promise<void> => {
  const server = await readServer(world, url);
  await post(world, server.revoke, { client_id: clientId, token: refreshToken, token_type_hint: 'refresh_token' });
};
