import { type Credential, readKey } from '../../keys/key-format.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';

const BEARER = /^bearer +([^\s,]+) *$/i;

/** The one bearer token of a request, or null. Two Authorization headers are no credential. */
export const bearerOf = (exchange: Exchange): string | null => {
  const sent = headerValues(exchange.raw, 'authorization');
  return sent.length === 1 ? (BEARER.exec(sent[0] ?? '')?.[1] ?? null) : null;
};

/** The API key of a request, or null when none of the right form came: then nothing is read (domain 4-doors 12). */
export const credentialOf = (exchange: Exchange): Credential | null => {
  const token = bearerOf(exchange);
  return token === null ? null : readKey(token);
};

/** Whether the request brought any credential at all; decides words and challenges only. */
export const broughtCredential = (exchange: Exchange): boolean =>
  headerValues(exchange.raw, 'authorization').length > 0;

/** What a caller without a valid key reads. Unknown, expired and revoked read alike. */
export const unauthorizedMessage = (exchange: Exchange): string =>
  broughtCredential(exchange)
    ? 'This credential is not valid here: it is unknown, expired or revoked. Send Authorization: Bearer with a current API key.'
    : 'No credential came with this request. Send Authorization: Bearer with an API key made in Developers.';

/** Check 4 on REST (domain 4-doors 11). */
export const unauthorized = (exchange: Exchange): EdgeRefusal =>
  new EdgeRefusal('unauthorized', unauthorizedMessage(exchange), undefined, { 'WWW-Authenticate': 'Bearer' });
