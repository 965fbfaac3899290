// biome-ignore lint/style/noRestrictedImports: these messages go no further than to the function that reads them.
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Provider } from 'oidc-provider';
import { COOKIES, OUTCOME, type Outcome } from './provider.js';

/** A request as the authorization server gets it: built from what it needs, never the original. */
export type Passed = { method: 'GET' | 'POST'; path: string; cookies?: readonly string[]; body?: PassedBody };

export type PassedBody = { type: 'application/json' | 'application/x-www-form-urlencoded'; text: string };

export type Returned = Outcome & {
  status: number;
  location: string | null;
  cookies: string[];
  headers: Record<string, string>;
  body: string;
};

/** Our pages need no session of the authorization server, so its cookie stays here. */
const isKept = (cookie: string): boolean =>
  cookie.startsWith(`${COOKIES.ask}=`) || cookie.startsWith(`${COOKIES.resume}=`);

const requestOf = (appUrl: string, { method, path, cookies = [], body }: Passed, outcome: Outcome): IncomingMessage => {
  const { host, protocol } = new URL(appUrl);
  // A connection that leads nowhere: nobody writes to it or waits for its end.
  const nowhere = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const request = new IncomingMessage(nowhere as ConstructorParameters<typeof IncomingMessage>[0]);
  const bytes = Buffer.from(body?.text ?? '');
  Object.assign(request, { method, url: path, [OUTCOME]: outcome });
  request.headers = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    accept: method === 'GET' ? 'text/html' : 'application/json',
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': String(bytes.length) }),
  };
  if (bytes.length > 0) request.push(bytes);
  request.push(null);
  return request;
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';

const listOf = (value: OutgoingHttpHeaders[string]): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [String(value)];

/** Headers of its answers that clients read; all others are the edge's. */
const RETURNED = ['content-type', 'www-authenticate', 'cache-control'];

/** Has the authorization server answer a request, without a connection of its own. */
export const pass = async (provider: Provider, appUrl: string, passed: Passed): Promise<Returned> => {
  const outcome: Outcome = {};
  const request = requestOf(appUrl, passed, outcome);
  const response = new ServerResponse(request);
  let body = '';
  response.end = ((chunk?: unknown) => {
    body = textOf(chunk);
    return response;
  }) as ServerResponse['end'];
  try {
    await provider.callback()(request, response);
  } finally {
    request.socket.destroy();
  }
  const headers = response.getHeaders();
  return {
    ...outcome,
    status: response.statusCode,
    location: listOf(headers['location'])[0] ?? null,
    cookies: listOf(headers['set-cookie']).filter(isKept),
    headers: Object.fromEntries(RETURNED.flatMap((name) => listOf(headers[name]).map((value) => [name, value]))),
    body,
  };
};
