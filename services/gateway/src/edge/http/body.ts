import { badRequest, type OperationDeclaration, type Problem } from '@cds/contracts';
import { type Exchange, headerValues, type RawRequest } from './exchange.js';

export const BODY_LIMIT = 64 * 1024;

/** The bytes; null beyond `limit`, when the rest is dropped: a client that is still sending would miss the answer. */
export const readBytes = async (raw: RawRequest, limit: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > limit ? null : Buffer.concat(chunks);
};

const LEVELS_MAX = 64;

/** Whether a value of JSON has more levels than any request needs; what reads them in turn would run out of stack. */
export const isTooDeep = (value: unknown, levels = LEVELS_MAX): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isTooDeep(one, levels - 1)));

export type BodyRead = { fields: Record<string, unknown> } | { problem: Problem };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Whether a Content-Type is JSON in UTF-8, the only one that operations take. */
export const isJson = (contentType: string | undefined): boolean => {
  const [media = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charsets = parameters.flatMap((one) => /^ *charset *= *"?([^"\s]*)"? *$/.exec(one)?.[1] ?? []);
  return media.trim() === 'application/json' && charsets.every((charset) => charset === 'utf-8' || charset === 'utf8');
};

const problem = (field: string, message: string): BodyRead => ({ problem: { field, message } });

export const isCsv = (contentType: string | undefined): boolean =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'text/csv';

export type Bodies = NonNullable<OperationDeclaration['csv']>;

/** Parses JSON, or CSV where it is taken. An empty body equals `{}` (docs/domain/requests.md#every-request). */
export const parseBody = (
  bytes: Buffer | null,
  contentType: readonly string[],
  encoding: readonly string[],
  csv?: Bodies,
): BodyRead => {
  if (bytes === null) return problem('body', `must be at most ${(csv?.maxBytes ?? BODY_LIMIT) / 1024} KiB`);
  if (bytes.length === 0) return { fields: {} };
  const [type] = contentType;
  const isText = csv !== undefined && isCsv(type);
  if (contentType.length !== 1 || !(isText || isJson(type)))
    return problem('content-type', `must be application/json in UTF-8${csv === undefined ? '' : ', or text/csv'}`);
  if (encoding.length > 0 && encoding.join() !== 'identity')
    return problem('content-encoding', 'is not supported; send the body as plain JSON, without compression');

  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    if (isText) return { fields: { [csv.field]: text } };
    value = JSON.parse(text);
  } catch {
    return problem('body', isText ? 'must be CSV in UTF-8' : 'must be valid JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('body', 'must be a JSON object');
  if (isTooDeep(value)) return problem('body', `must be JSON of at most ${LEVELS_MAX} levels`);
  return { fields: value as Record<string, unknown> };
};

export const readBody = async (exchange: Exchange, csv?: Bodies): Promise<BodyRead> =>
  parseBody(
    await readBytes(exchange.raw, csv?.maxBytes ?? BODY_LIMIT),
    headerValues(exchange.raw, 'content-type'),
    headerValues(exchange.raw, 'content-encoding'),
    csv,
  );

const FORM = /^application\/x-www-form-urlencoded *(;.*)?$/i;

export const readFields = async (exchange: Exchange): Promise<URLSearchParams> => {
  const types = headerValues(exchange.raw, 'content-type');
  const bytes = await readBytes(exchange.raw, BODY_LIMIT);
  if (bytes === null) throw badRequest([{ field: 'body', message: `must be at most ${BODY_LIMIT / 1024} KiB` }]);
  if (types.length !== 1 || !FORM.test(types[0] ?? ''))
    throw badRequest([{ field: 'content-type', message: 'must be application/x-www-form-urlencoded' }]);
  return new URLSearchParams(bytes.toString('utf8'));
};
