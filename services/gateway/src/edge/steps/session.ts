import { cookieIn } from '../http/cookies.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';
import { sentCredential } from './credential.js';

/** An Authorization header alone decides who calls, so that no request has two callers. */
export const sessionTokenOf = (exchange: Exchange, cookie: string): string | null =>
  sentCredential(exchange) ? null : cookieIn(headerValues(exchange.raw, 'cookie'), cookie);

export const noSession = (exchange: Exchange): EdgeRefusal =>
  new EdgeRefusal(
    'unauthorized',
    sentCredential(exchange)
      ? 'People call this path with their session. Send the request without an Authorization header.'
      : 'There is no session, or it has ended. Sign in again.',
    undefined,
    { 'WWW-Authenticate': 'Bearer' },
  );
