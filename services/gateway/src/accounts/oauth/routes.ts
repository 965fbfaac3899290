import { AppError, badRequest, type ErrorBody, type Problem } from '@cds/contracts';
import { fileOf } from '@cds/pages';
import {
  type AddressWindow,
  type Answer,
  cookieIn,
  type Edge,
  type Endpoint,
  type Exchange,
  fileAnswer,
  headerValues,
  JSON_TYPE,
  LIMIT_MS,
  outcomeOf,
  publicEndpoint,
  publicRoutes,
  type Route,
  readBody,
  readFields,
  retryHeaders,
  statusOf,
  TOKEN_WINDOW,
  TOOLS_PATH,
  VISITOR_WINDOW,
} from '../../edge/port.js';
import type { Returned } from './bridge.js';
import { clientSays } from './domain/mcp-client.js';
import { authorizationServer, protectedResource } from './metadata.js';
import { COOKIES, PATHS } from './provider.js';
import { ALL_SCOPES } from './resource.js';
import type { OAuthServer } from './server.js';

export type SignInPages = {
  /** How to connect an agent, for somebody who opens the sign-in without one. */
  byHand: () => Answer;
  refused: (exchange: Exchange, error: AppError) => Answer;
  /** Sends the browser on, with the headers of a page whose address is secret. */
  sentOn: (location: string) => Answer;
  /** Answers, or shows the refusal as a page. */
  orRefused: (exchange: Exchange, answer: () => Promise<Answer>) => Promise<Answer>;
};

const TOKEN_PATHS: ReadonlySet<string> = new Set([PATHS.token, PATHS.revoke, PATHS.register]);

/** Whether a path is one of those that clients call by themselves, whose errors have the form of OAuth. */
export const isTokenPath = (path: string): boolean => TOKEN_PATHS.has(path);

const oauthCodeOf = ({ code }: ErrorBody): string => {
  if (code === 'bad_request' || code === 'method_not_allowed') return 'invalid_request';
  if (code === 'internal') return 'server_error';
  return code === 'forbidden' ? 'access_denied' : 'temporarily_unavailable';
};

/** What is wrong, in a text that stands alone: an error of OAuth has no details. */
const descriptionOf = ({ message, details }: ErrorBody): string => {
  const problems = (details?.['problems'] ?? []) as Problem[];
  return problems.length === 0 ? message : problems.map((one) => `${one.field} ${one.message}`).join('; ');
};

/** A refusal of the edge to a client that expects an error of OAuth (RFC 6749, 5.2). */
export const oauthError = (error: ErrorBody, status: number | undefined, headers: Record<string, string>): Answer => {
  const final = statusOf(error, status);
  return {
    status: final,
    headers: { 'Content-Type': JSON_TYPE, ...retryHeaders(error, final), ...headers },
    body: JSON.stringify({ error: oauthCodeOf(error), error_description: descriptionOf(error) }),
    ...outcomeOf(error),
  };
};

const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource';

const document = (edge: Edge, path: string, value: object): Route<Endpoint>[] => {
  const file = fileOf(JSON_TYPE, JSON.stringify(value));
  return publicRoutes(edge, path, async (exchange) => fileAnswer(exchange, file));
};

/** The fields of a request that the authorization server uses; everything else that a client sends is ignored. */
const ASKED = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];
const TOKEN_FIELDS = ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'resource'];
const REVOKE_FIELDS = ['client_id', 'token', 'token_type_hint'];

/** The known fields, as often as they were sent: one that is sent twice is refused. */
const only = (sent: Iterable<[string, string]>, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...sent].filter(([name]) => names.includes(name)));

const cookiesOf = (exchange: Exchange, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = cookieIn(headerValues(exchange.raw, 'cookie'), name);
    return value === null ? [] : [`${name}=${value}`];
  });

const browserAnswer = (pages: SignInPages, exchange: Exchange, returned: Returned): Answer => {
  exchange.cookies.push(...returned.cookies);
  const { refused, location } = returned;
  if (refused !== undefined || location === null)
    return pages.refused(
      exchange,
      new AppError(
        'bad_request',
        `The agent's request to sign in cannot be used: ${refused?.error_description ?? 'it could not be read'}. Start the sign-in again in the agent; if that does not help, its maker has to correct it.`,
      ),
    );
  return pages.sentOn(location);
};

const browse = (
  edge: Edge,
  oauth: OAuthServer,
  pages: SignInPages,
  pathOf: (exchange: Exchange) => string | null,
): Endpoint =>
  publicEndpoint(edge, (exchange) =>
    pages.orRefused(exchange, async () => {
      const path = pathOf(exchange);
      if (path === null) return pages.byHand();
      const cookies = cookiesOf(exchange, [COOKIES.resume]);
      return browserAnswer(pages, exchange, await oauth.answer({ method: 'GET', path, cookies }));
    }),
  );

/** The authorization request, always for every scope: the key decides which of them the tokens have. */
const authorizePath = ({ query }: Exchange): string | null => {
  const asked = only(new URLSearchParams(query), ASKED);
  if (asked.size === 0) return null;
  asked.set('scope', ALL_SCOPES);
  return `${PATHS.authorize}?${asked}`;
};

const jsonAnswer = ({ status, headers, body }: Returned): Answer => {
  const code = status < 400 ? 'ok' : status < 500 ? 'bad_request' : 'internal';
  return { status, headers: { ...headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' }, body, code };
};

const posted = (
  edge: Edge,
  oauth: OAuthServer,
  path: string,
  names: readonly string[],
  window: AddressWindow,
): Endpoint =>
  publicEndpoint(
    edge,
    async (exchange) => {
      const text = only(await readFields(exchange), names).toString();
      const body = { type: 'application/x-www-form-urlencoded', text } as const;
      return jsonAnswer(await oauth.answer({ method: 'POST', path, body }));
    },
    LIMIT_MS.write,
    window,
  );

/** Registers a client with the part of its metadata that we keep (RFC 7591). */
const register = (edge: Edge, oauth: OAuthServer): Endpoint =>
  publicEndpoint(
    edge,
    async (exchange) => {
      const read = await readBody(exchange);
      if ('problem' in read) throw badRequest([read.problem]);
      const says = clientSays(read.fields);
      if ('problem' in says) return invalidMetadata(`${says.problem.field} ${says.problem.message}`);
      const text = JSON.stringify({
        client_name: says.name,
        redirect_uris: says.redirectUris,
        // Said here too, or the answer would hold a secret that nothing accepts.
        token_endpoint_auth_method: 'none',
        ...(says.website === null ? {} : { client_uri: says.website }),
      });
      const body = { type: 'application/json', text } as const;
      return jsonAnswer(await oauth.answer({ method: 'POST', path: PATHS.register, body }));
    },
    LIMIT_MS.write,
    VISITOR_WINDOW,
  );

const invalidMetadata = (text: string): Answer => ({
  status: 400,
  headers: { 'Content-Type': JSON_TYPE },
  body: JSON.stringify({ error: 'invalid_redirect_uri', error_description: text }),
  code: 'bad_request',
});

/** The authorization server, for MCP and for REST (docs/domain/sign-in.md#mcp-sign-in). */
export const oauthRoutes = (edge: Edge, oauth: OAuthServer, pages: SignInPages): Route<Endpoint>[] => [
  ...document(edge, `${RESOURCE_DOCUMENT}${TOOLS_PATH}`, protectedResource(edge.appUrl, 'mcp')),
  ...document(edge, `${RESOURCE_DOCUMENT}${TOOLS_PATH}/`, protectedResource(edge.appUrl, 'mcp')),
  ...document(edge, RESOURCE_DOCUMENT, protectedResource(edge.appUrl, 'mcp')),
  ...document(edge, `${RESOURCE_DOCUMENT}/api/v1`, protectedResource(edge.appUrl, 'rest')),
  ...document(edge, '/.well-known/oauth-authorization-server', authorizationServer(edge.appUrl)),
  { path: PATHS.authorize, method: 'GET', target: browse(edge, oauth, pages, authorizePath) },
  { path: `${PATHS.authorize}/{uid}`, method: 'GET', target: browse(edge, oauth, pages, ({ path }) => path) },
  { path: PATHS.token, method: 'POST', target: posted(edge, oauth, PATHS.token, TOKEN_FIELDS, TOKEN_WINDOW) },
  { path: PATHS.revoke, method: 'POST', target: posted(edge, oauth, PATHS.revoke, REVOKE_FIELDS, TOKEN_WINDOW) },
  { path: PATHS.register, method: 'POST', target: register(edge, oauth) },
];
