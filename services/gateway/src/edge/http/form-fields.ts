import { badRequest } from '@cds/contracts';
import { BODY_LIMIT, readBytes } from './body.js';
import { type Exchange, headerValues } from './exchange.js';

const FORM = /^application\/x-www-form-urlencoded *(;.*)?$/i;

export const readFields = async (exchange: Exchange): Promise<URLSearchParams> => {
  const types = headerValues(exchange.raw, 'content-type');
  const bytes = await readBytes(exchange.raw, BODY_LIMIT);
  if (bytes === null) throw badRequest([{ field: 'body', message: `must be at most ${BODY_LIMIT / 1024} KiB` }]);
  if (types.length !== 1 || !FORM.test(types[0] ?? ''))
    throw badRequest([{ field: 'content-type', message: 'must be application/x-www-form-urlencoded' }]);
  return new URLSearchParams(bytes.toString('utf8'));
};
