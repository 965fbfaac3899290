import { AppError, type DeprecatedUntil, type OperationDeclaration, type RestOperation } from '@cds/contracts';
import { limitOf } from '../context.js';
import type { Edge } from '../edge.js';
import type { Endpoint } from '../endpoint.js';
import { type Answer, errorAnswer, okAnswer } from '../http/answer.js';
import { readBody } from '../http/body.js';
import { deprecationOf } from '../http/deprecation.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { readQuery } from '../http/query.js';
import { admit, perform } from '../lifecycle.js';
import type { Done } from '../steps/dispatch.js';
import { identifyCaller } from '../steps/identify.js';
import type { Parts } from '../steps/validate.js';
import { readUpload } from '../upload.js';
import { inHeaderWords, raisedInHeaderWords } from './last-event-id.js';

const BODILESS: ReadonlySet<string> = new Set(['GET', 'DELETE']);

const partsOf = async (
  exchange: Exchange,
  operation: RestOperation,
  params: Record<string, string>,
): Promise<Parts> => {
  const query = readQuery(exchange.query);
  if (operation.upload !== undefined)
    return {
      params,
      query: query.values,
      body: {},
      problems: query.problems,
      upload: await readUpload(exchange, operation.upload),
    };
  const body = BODILESS.has(exchange.method) ? { fields: {} } : await readBody(exchange, operation.csv);
  return {
    params,
    query: { ...query.values, ...lastEventId(exchange, operation) },
    body: 'fields' in body ? body.fields : null,
    problems: 'problem' in body ? [...query.problems, body.problem] : query.problems,
  };
};

/** Where a client of a stream continues: its header wins, since it reconnects with the first cursor in the query. */
const lastEventId = (exchange: Exchange, { mediaType }: RestOperation): { cursor?: string } => {
  const [cursor = ''] = mediaType === 'text/event-stream' ? headerValues(exchange.raw, 'last-event-id') : [];
  return cursor === '' ? {} : { cursor };
};

const deprecationHeaders = (
  operation: OperationDeclaration,
  body: Uint8Array | string,
  until: DeprecatedUntil,
): Record<string, string> => {
  const found = deprecationOf(operation, body, until);
  return found === null ? {} : { Deprecation: found.deprecation, Sunset: found.sunset };
};

const answerOf = (operation: OperationDeclaration, done: Done, until: DeprecatedUntil): Answer => {
  const replayed = done.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (!done.ok) return errorAnswer(done.error, done.status, replayed);
  if (done.status === 204) return { status: 204, headers: replayed, body: '', code: 'ok' };
  const { cacheControl, mediaType } = operation;
  const answer = okAnswer(done.status, done.body, {
    ...replayed,
    ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
    ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }),
    ...deprecationHeaders(operation, done.body, until),
  });
  if (done.stream === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, Connection: 'close' }, body: done.stream };
};

/** The outcome of a request whose cursor came in its header, by that name. */
const saidOfHeader = async (call: Promise<Done>): Promise<Done> => {
  try {
    const done = await call;
    return done.ok ? done : { ...done, error: inHeaderWords(done.error) };
  } catch (error) {
    throw error instanceof AppError ? raisedInHeaderWords(error) : error;
  }
};

export const restEndpoint = (edge: Edge, operation: RestOperation): Endpoint => ({
  limitMs: limitOf(operation),
  answer: async (exchange, params) => {
    exchange.operation = operation.name;
    const caller = await admit(exchange, identifyCaller(edge, exchange, operation));
    const call = perform(edge, exchange, caller, {
      operation,
      idempotencyKeys: headerValues(exchange.raw, 'idempotency-key'),
      keyField: 'Idempotency-Key',
      parts: () => partsOf(exchange, operation, params),
    });
    const done = 'cursor' in lastEventId(exchange, operation) ? await saidOfHeader(call) : await call;
    return answerOf(operation, done, (await edge.switches.current()).deprecated_until);
  },
});
