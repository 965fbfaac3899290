import { BODY_LIMIT, readBytes } from '../edge/http/body.js';
import { type Exchange, headerValues } from '../edge/http/exchange.js';
import { badRequest } from '../edge/http/refusal.js';

const FORM = /^application\/x-www-form-urlencoded *(;.*)?$/i;

/** Reads a posted form. A missing field reads as empty. */
export const readForm = async (exchange: Exchange): Promise<(name: string) => string> => {
  const types = headerValues(exchange.raw, 'content-type');
  const bytes = await readBytes(exchange.raw, BODY_LIMIT);
  if (bytes === null) throw badRequest([{ field: 'body', message: `must be at most ${BODY_LIMIT / 1024} KiB` }]);
  if (types.length !== 1 || !FORM.test(types[0] ?? ''))
    throw badRequest([{ field: 'content-type', message: 'must be application/x-www-form-urlencoded' }]);
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return (name) => fields.get(name) ?? '';
};
