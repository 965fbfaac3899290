import { LOOKUP_STEP_MS, stepEnd } from '../even-time.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';

const BEARER = /^bearer +([^\s,]+) *$/i;

/** The bearer token of a request, or null. Two Authorization headers count as none. */
export const bearerOf = (exchange: Exchange): string | null => {
  const sent = headerValues(exchange.raw, 'authorization');
  return sent.length === 1 ? (BEARER.exec(sent[0] ?? '')?.[1] ?? null) : null;
};

/** Whether the request sent any credential; affects only the message and the challenge. */
export const sentCredential = (exchange: Exchange): boolean => headerValues(exchange.raw, 'authorization').length > 0;

/** The message of a 401. Unknown, expired and revoked read the same. */
export const unauthorizedMessage = (exchange: Exchange): string =>
  sentCredential(exchange)
    ? 'This credential is unknown, expired or revoked. Send a current API key as Authorization: Bearer <key>.'
    : 'This request has no credential. Send an API key made in Developers as Authorization: Bearer <key>.';

export const unauthorizedWith = (message: string): EdgeRefusal =>
  new EdgeRefusal('unauthorized', message, undefined, { 'WWW-Authenticate': 'Bearer' });

/** Step 4 by REST (docs/domain/requests.md#every-request). */
export const unauthorized = (exchange: Exchange): EdgeRefusal => unauthorizedWith(unauthorizedMessage(exchange));

/** Step 4 of the mail relay, to which every other credential is unknown. */
export const unauthorizedRelay = (): EdgeRefusal =>
  unauthorizedWith(
    'This is not the token of the mail relay. Send CDS_MAIL_RELAY_TOKEN as Authorization: Bearer <token>.',
  );

/** The 401 of a credential that was not found; its time does not reveal whether the public id exists. */
export const unknownCredential = async (exchange: Exchange, refusal = unauthorized): Promise<EdgeRefusal> => {
  await stepEnd(exchange.startedAt, LOOKUP_STEP_MS);
  return refusal(exchange);
};
