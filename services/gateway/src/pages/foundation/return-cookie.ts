import { PATHS } from '../../accounts/oauth/provider.js';
import { LIVES_S } from '../../accounts/oauth/resource.js';
import { cookieIn, sessionCookie } from '../../edge/http/cookies.js';
import { type Exchange, headerValues } from '../../edge/http/exchange.js';

/** Where a browser was led to sign-in from, so that its person comes back there. It proves nothing. */
const COOKIE = 'cds_return';
const HOME = '/developers';
/** Pages of Developers, and those of a client's sign-in that is under way. */
const PAGE = new RegExp(`^(${HOME}(/[\\w-]+){0,4}|${PATHS.ask}/[\\w-]{43}(/[\\w-]+){0,2})$`);

/** Whether a browser shows what it asked for; a page of live state asks for itself again in the background. */
const isShown = ({ raw }: Exchange): boolean => headerValues(raw, 'sec-fetch-dest').every((to) => to === 'document');

/** Notes the page that a browser asked for, instead of one that it asked for before. */
export const returnHere = (exchange: Exchange, appUrl: string): void => {
  const { path, cookies } = exchange;
  if (isShown(exchange) && PAGE.test(path)) cookies.push(sessionCookie(appUrl, COOKIE, path, LIVES_S.request));
};

/** Where somebody goes who has just signed in: back to the page that they asked for, or to Developers. */
export const afterSignIn = (exchange: Exchange, appUrl: string): `/${string}` => {
  const path = cookieIn(headerValues(exchange.raw, 'cookie'), COOKIE);
  if (path === null || !PAGE.test(path)) return HOME;
  exchange.cookies.push(sessionCookie(appUrl, COOKIE, '', 0));
  return path as `/${string}`;
};
