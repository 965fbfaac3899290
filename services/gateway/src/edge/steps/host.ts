import { AppError } from '@cds/contracts';
import { hasSessionCookie } from '../http/cookies.js';
import { type Exchange, headerValues } from '../http/exchange.js';

/** The accepted Host headers in lower case; anything else is a DNS rebinding attempt or a mistake. */
export type AllowedHosts = Set<string>;

/** The configured hosts, or by default the application's own host and loopback with the ports in use. */
export const allowedHosts = (configured: readonly string[], appUrl: string, ports: readonly number[]): AllowedHosts => {
  if (configured.length > 0) return new Set(configured);
  const app = new URL(appUrl);
  const every = [Number(app.port) || (app.protocol === 'https:' ? 443 : 80), ...ports];
  return new Set([
    app.host.toLowerCase(),
    ...every.flatMap((port) => ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)),
  ]);
};

/** Step 1: one Host, and one of ours; HTTP/1.0 may send none (docs/domain/requests.md#order-of-errors). */
export const checkHost = (exchange: Exchange, hosts: AllowedHosts): void => {
  const sent = headerValues(exchange.raw, 'host');
  if (sent.length > 1 || (sent.length === 0 && exchange.raw.httpVersion === '1.1'))
    throw new AppError('bad_request', 'The request must have one Host header. Send the address that you call.');
  const host = exchange.targetHost ?? sent[0];
  if (host !== undefined && hosts.has(host.toLowerCase())) return;
  throw new AppError(
    'forbidden',
    'The Host header does not name this application. Send the request to its own address.',
  );
};

const isOurs = (origin: string, appUrl: string, hosts: AllowedHosts): boolean => {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (origin.toLowerCase() === new URL(appUrl).origin) return true;
  return protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) && hosts.has(host);
};

const foreignOrigin = (): AppError =>
  new AppError(
    'forbidden',
    'Requests from other websites are refused here. Send the request from a program, or from our own page.',
  );

export const TOOLS_PATH = '/api/mcp';

export const GUEST_PATH = `${TOOLS_PATH}/guest`;

const isToolPath = (path: string): boolean => path === TOOLS_PATH || path.startsWith(`${TOOLS_PATH}/`);

/** The paths below which pages are, with their forms. */
const PAGE_PATHS = [
  '/pay',
  '/creator',
  '/sign-in',
  '/sign-out',
  '/signup',
  '/developers',
  '/terms',
  '/ops',
  '/docs',
  '/changelog',
  '/connect',
];

const PROGRAM_PATHS: ReadonlySet<string> = new Set(['/connect/token', '/connect/revoke', '/connect/register']);

/** Whether a path is a page for people: its errors are pages too, and its forms come from our own pages only. */
export const isPagePath = (path: string): boolean =>
  path === '/' || (PAGE_PATHS.some((page) => path === page || path.startsWith(`${page}/`)) && !PROGRAM_PATHS.has(path));

/** Step 1: which origins a browser may send from: at the MCP endpoint, with a session, and in page forms. */
export const checkOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  if (isToolPath(exchange.path)) toolOrigin(exchange, appUrl, hosts);
  if (exchange.path.startsWith('/api/')) sessionOrigin(exchange, appUrl, hosts);
  if (isPagePath(exchange.path) && exchange.method === 'POST') formOrigin(exchange, appUrl, hosts);
};

/** At the MCP endpoint a browser's Origin must be ours; a program sends none. */
const toolOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  const origins = headerValues(exchange.raw, 'origin');
  if (!origins.every((origin) => isOurs(origin, appUrl, hosts))) throw foreignOrigin();
};

const isPeoplePath = (path: string): boolean =>
  path === '/api/signup' || path.startsWith('/api/brand/') || path.startsWith('/api/ops/');

/**
 * A browser adds the session's cookie by itself, so a write with one says that it comes from our origin; signing in
 * too, or another site could sign its visitor in as somebody else.
 */
const sessionOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  const { method, path, raw } = exchange;
  if (method === 'GET' || method === 'HEAD' || headerValues(raw, 'authorization').length > 0) return;
  const session = hasSessionCookie(headerValues(raw, 'cookie'));
  if (!session && !isPeoplePath(path)) return;
  const origins = headerValues(raw, 'origin');
  const missing = session && origins.length === 0;
  if (missing || !origins.every((origin) => isOurs(origin, appUrl, hosts))) throw foreignOrigin();
};

/** Our pages send no referrer, so their forms have `Origin: null` and Sec-Fetch-Site decides; programs send neither. */
const formOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  const origins = headerValues(exchange.raw, 'origin').filter((origin) => origin !== 'null');
  const wasNull = headerValues(exchange.raw, 'origin').includes('null');
  const [site] = headerValues(exchange.raw, 'sec-fetch-site');
  const bySite = site === 'same-origin' || (site === undefined && !wasNull);
  if (origins.length > 0 ? !origins.every((origin) => isOurs(origin, appUrl, hosts)) : !bySite) throw foreignOrigin();
};
