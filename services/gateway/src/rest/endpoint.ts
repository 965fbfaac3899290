import type { OperationDeclaration, RestOperation } from '@cds/contracts';
import { limitOf } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { type Answer, errorAnswer, okAnswer } from '../edge/http/answer.js';
import { readBody } from '../edge/http/body.js';
import { deprecationOf } from '../edge/http/deprecation.js';
import { type Exchange, headerValues } from '../edge/http/exchange.js';
import { readQuery } from '../edge/http/query.js';
import { admit, perform } from '../edge/lifecycle.js';
import type { Done } from '../edge/steps/dispatch.js';
import { identifyCaller } from '../edge/steps/identify.js';
import type { Parts } from '../edge/steps/validate.js';
import { readUpload } from '../edge/upload.js';

/** Methods whose body is never read. */
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
    query: query.values,
    body: 'fields' in body ? body.fields : null,
    problems: 'problem' in body ? [...query.problems, body.problem] : query.problems,
  };
};

const deprecationHeaders = (operation: OperationDeclaration, body: Uint8Array | string): Record<string, string> => {
  const found = deprecationOf(operation, body);
  return found === null ? {} : { Deprecation: found.deprecation, Sunset: found.sunset };
};

const answerOf = (operation: OperationDeclaration, done: Done, deprecatedShown: boolean): Answer => {
  const replayed = done.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (!done.ok) return errorAnswer(done.error, done.status, replayed);
  if (done.status === 204) return { status: 204, headers: replayed, body: '', code: 'ok' };
  const { cacheControl, mediaType } = operation;
  return okAnswer(done.status, done.body, {
    ...replayed,
    ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
    ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }),
    ...(deprecatedShown ? deprecationHeaders(operation, done.body) : {}),
  });
};

/** The REST endpoint of one operation. */
export const restEndpoint = (edge: Edge, operation: RestOperation): Endpoint => ({
  limitMs: limitOf(operation),
  answer: async (exchange, params) => {
    exchange.operation = operation.name;
    const caller = await admit(exchange, identifyCaller(edge, exchange, operation));
    const done = await perform(edge, exchange, caller, {
      operation,
      idempotencyKeys: headerValues(exchange.raw, 'idempotency-key'),
      keyField: 'Idempotency-Key',
      parts: () => partsOf(exchange, operation, params),
    });
    return answerOf(operation, done, (await edge.switches.current()).deprecated_fields);
  },
});
