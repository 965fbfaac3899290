import { AppError } from '@cds/contracts';
import { type Exchange, headerValues } from '../http/exchange.js';

/** The Host headers that are answered, in lower case; anything else is a rebinding attempt or a mistake. */
export type AllowedHosts = Set<string>;

/** The allow-list: the configured hosts, or the application's own and loopback with the ports in use. */
export const allowedHosts = (configured: readonly string[], appUrl: string, ports: readonly number[]): AllowedHosts => {
  if (configured.length > 0) return new Set(configured);
  const app = new URL(appUrl);
  const every = [Number(app.port) || (app.protocol === 'https:' ? 443 : 80), ...ports];
  return new Set([
    app.host.toLowerCase(),
    ...every.flatMap((port) => ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)),
  ]);
};

/** Check 1: the request is addressed to this application (domain 4-doors 10). */
export const hostStage = (exchange: Exchange, hosts: AllowedHosts): void => {
  const sent = headerValues(exchange.raw, 'host');
  const [host] = sent;
  if (sent.length === 1 && host !== undefined && hosts.has(host.toLowerCase())) return;
  throw new AppError('forbidden', 'This host is not served here. Send the request to the address of the application.');
};

const isOurs = (origin: string, appUrl: string, hosts: AllowedHosts): boolean => {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (origin.toLowerCase() === new URL(appUrl).origin) return true;
  return protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) && hosts.has(host);
};

const foreign = (): AppError =>
  new AppError(
    'forbidden',
    'Requests from other web pages are not taken here. Call from a program, or from our own page.',
  );

/** The path of the keyed tool server; other doors for tools stand below it. */
export const TOOLS_PATH = '/api/mcp';

const isToolPath = (path: string): boolean => path === TOOLS_PATH || path.startsWith(`${TOOLS_PATH}/`);

/** Whether a path is a page with forms. */
export const isPagePath = (path: string): boolean => path.startsWith('/pay/');

/** Check 1: where browsers may come from, at the tool server and on page forms. */
export const originStage = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  if (isToolPath(exchange.path)) toolOrigin(exchange, appUrl, hosts);
  if (isPagePath(exchange.path) && exchange.method === 'POST') formOrigin(exchange, appUrl, hosts);
};

/** On the tool server a browser's Origin must be ours; a program sends none. */
const toolOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  const origins = headerValues(exchange.raw, 'origin');
  if (!origins.every((origin) => isOurs(origin, appUrl, hosts))) throw foreign();
};

/**
 * On page forms: our pages send no referrer, so a browser says `Origin: null` for them and tells the truth in
 * Sec-Fetch-Site; a program sends neither and is held by the form's own token.
 */
const formOrigin = (exchange: Exchange, appUrl: string, hosts: AllowedHosts): void => {
  const origins = headerValues(exchange.raw, 'origin').filter((origin) => origin !== 'null');
  const wasNull = headerValues(exchange.raw, 'origin').includes('null');
  const [site] = headerValues(exchange.raw, 'sec-fetch-site');
  const bySite = site === 'same-origin' || (site === undefined && !wasNull);
  if (origins.length > 0 ? !origins.every((origin) => isOurs(origin, appUrl, hosts)) : !bySite) throw foreign();
};
