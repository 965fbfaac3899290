import { type Exchange, headerValues } from '../../edge/http/exchange.js';
import { PATHS } from '../../oauth/provider.js';
import { LIVES_S } from '../../oauth/resource.js';
import { cookieIn, sessionCookie } from '../../people/cookies.js';

/** Which sign-in of a client a browser is in the middle of, so that its person comes back to it. It proves nothing. */
const COOKIE = 'cds_connecting';
const UID = /^[A-Za-z0-9_-]{43}$/;

export const returnHere = (exchange: Exchange, appUrl: string, uid: string): void => {
  exchange.cookies.push(sessionCookie(appUrl, COOKIE, uid, LIVES_S.request));
};

/** Where somebody goes who has just signed in: back to the client's sign-in, or to Developers. */
export const afterSignIn = (exchange: Exchange, appUrl: string): `/${string}` => {
  const uid = cookieIn(headerValues(exchange.raw, 'cookie'), COOKIE);
  if (uid === null || !UID.test(uid)) return '/developers';
  exchange.cookies.push(sessionCookie(appUrl, COOKIE, '', 0));
  return `${PATHS.ask}/${uid}`;
};
