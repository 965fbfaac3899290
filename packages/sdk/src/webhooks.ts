import type { CdsEvent } from './events.js';

/** How far the time of a message may be from ours, in seconds. */
const TOLERANCE_S = 300;
const PREFIX = 'whsec_';

/** A message that was not sent by the service, was changed, or is too old to be accepted. Answer it with 400. */
export class WebhookError extends Error {
  readonly reason:
    | 'missing_header'
    | 'bad_timestamp'
    | 'too_old'
    | 'too_new'
    | 'no_match'
    | 'bad_secret'
    | 'bad_payload';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an endpoint is sent: an event of the feed, or, of type `webhook.test`, no event. */
export type WebhookMessage = { type: string; timestamp: string; data: CdsEvent };

export type VerifyOptions = {
  /** 300 by default. */
  toleranceSeconds?: number;
  /** The time now, in milliseconds. */
  now?: number;
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'object' ? value?.join(' ') : value;
  if (text === undefined || text === null || text === '')
    throw new WebhookError('missing_header', `The message has no header ${name}.`);
  return text;
};

const checkTime = (timestamp: string, { toleranceSeconds = TOLERANCE_S, now = Date.now() }: VerifyOptions): void => {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('bad_timestamp', 'webhook-timestamp is not a time.');
  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('too_old', 'The message is too old.');
  if (age < -toleranceSeconds) throw new WebhookError('too_new', 'The message is from the future.');
};

const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const keyOf = (secret: string): Promise<CryptoKey> => {
  const bytes = bytesOfBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookError('bad_secret', `The secret is not base64 after ${PREFIX}.`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

/** The symmetric signatures of a header, which lists several while a secret is rotated. */
const signaturesOf = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => {
    const [version, signature] = one.split(',', 2);
    const bytes = version === 'v1' && signature !== undefined ? bytesOfBase64(signature) : undefined;
    return bytes === undefined ? [] : [bytes];
  });

const signedBytes = (id: string, timestamp: string, payload: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload;
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
};

/**
 * Checks a webhook by Standard Webhooks and returns what it says. `payload` is the body as it arrived, not parsed and
 * encoded again. Several secrets are accepted while one is rotated, and any signature of the header will do; signatures
 * are compared in constant time by Web Crypto. Throws WebhookError. A message may arrive again: its header `webhook-id`
 * says so. The message of a test has the type `webhook.test` and no event in it.
 */
export const verifyWebhook = async <T = WebhookMessage>(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<T> => {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  const keys = await Promise.all((typeof secret === 'string' ? [secret] : secret).map(keyOf));
  checkTime(timestamp, options);
  const bytes = signedBytes(id, timestamp, payload);
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, bytes)),
  );
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookError('no_match', 'No signature of the message fits a secret.');
  try {
    return JSON.parse(typeof payload === 'string' ? payload : new TextDecoder().decode(payload)) as T;
  } catch {
    throw new WebhookError('bad_payload', 'The message is not JSON.');
  }
};
