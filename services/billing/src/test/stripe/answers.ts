import type { IncomingMessage } from 'node:http';
import type { Metadata } from './shapes.js';

/** An answer of the API. `ran` is false when the call was not carried out, so that its key stays free. */
export type Answer = { status: number; body: object; ran: boolean; isReplayed?: boolean };

export const ok = (body: object): Answer => ({ status: 200, body, ran: true });

const error = (status: number, ran: boolean, type: string, message: string, code?: string): Answer => ({
  status,
  ran,
  body: { error: { type, message, ...(code !== undefined && { code }) } },
});

/** A request that is wrong in itself. */
export const invalid = (message: string): Answer => error(400, false, 'invalid_request_error', message);
/** A request that is right, and is refused by the state of what it is about. */
export const refused = (message: string): Answer => error(400, true, 'invalid_request_error', message);
export const unknown = (what: string): Answer =>
  error(404, false, 'invalid_request_error', `No such ${what}`, 'resource_missing');
export const busy = (): Answer => error(429, false, 'rate_limit_error', 'Too many requests.');
export const broken = (): Answer => error(500, true, 'api_error', 'An unknown error occurred.');
export const keyInUse = (): Answer =>
  error(
    409,
    false,
    'idempotency_error',
    'There is currently another request in progress with this idempotency key.',
    'idempotency_key_in_use',
  );
export const keyOfAnother = (): Answer =>
  error(400, false, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters.');

const MAX_BODY = 64 * 1024;

export const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new Error('the body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const metadataOf = (form: URLSearchParams, field: string): Metadata =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(`${field}[`) && name.endsWith(']') ? [[name.slice(field.length + 1, -1), value]] : [],
    ),
  );

/** The values of a list of a form: `field[0]`, `field[1]` and so on. */
export const listOf = (form: URLSearchParams, field: string): string[] =>
  [...form].flatMap(([name, value]) => (name.startsWith(`${field}[`) ? [value] : []));
