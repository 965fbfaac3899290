import type { OperationDeclaration, RestOperation } from '@cds/contracts';
import { admit, type Door, perform } from '../edge/lifecycle.js';
import { type Answer, errorAnswer, okAnswer } from '../edge/http/answer.js';
import { readBody } from '../edge/http/body.js';
import { limitOf } from '../edge/context.js';
import type { Done } from '../edge/steps/dispatch.js';
import type { Edge } from '../edge/edge.js';
import { type Exchange, headerValues } from '../edge/http/exchange.js';
import { readQuery } from '../edge/http/query.js';
import { readUpload } from '../edge/upload.js';
import type { Parts } from '../edge/steps/validate.js';
import { deprecationHeaders } from './deprecation.js';

/** Answers that anyone may keep for a while (domain 4-doors 3.1). */
const CACHED: Readonly<Record<string, string>> = { network_facts: 'public, max-age=300' };

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
  const body = BODILESS.has(exchange.method) ? { fields: {} } : await readBody(exchange);
  return {
    params,
    query: query.values,
    body: 'fields' in body ? body.fields : {},
    problems: 'problem' in body ? [...query.problems, body.problem] : query.problems,
  };
};

const answerOf = (operation: OperationDeclaration, done: Done, deprecatedShown: boolean): Answer => {
  const replayed = done.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (!done.ok) return errorAnswer(done.error, done.status, replayed);
  const cached = CACHED[operation.name];
  return okAnswer(done.status, done.body, {
    ...replayed,
    ...(cached === undefined ? {} : { 'Cache-Control': cached }),
    ...(deprecatedShown ? deprecationHeaders(operation, done.body) : {}),
  });
};

/** The REST door of one operation. */
export const restDoor = (edge: Edge, operation: RestOperation): Door => ({
  limitMs: limitOf(operation),
  answer: async (exchange, params) => {
    exchange.operation = operation.name;
    const caller = await admit(edge, exchange, operation);
    const done = await perform(edge, exchange, caller, {
      operation,
      idempotencyKeys: headerValues(exchange.raw, 'idempotency-key'),
      keyField: 'Idempotency-Key',
      parts: () => partsOf(exchange, operation, params),
    });
    return answerOf(operation, done, (await edge.switches.current()).deprecated_fields);
  },
});
