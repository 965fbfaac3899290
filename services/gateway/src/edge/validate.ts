import { type OperationDeclaration, type Problem, type Problems, problemsOf } from '@cds/contracts';
import { tellableName } from './query.js';
import { badRequest, unprocessable } from './refusal.js';
import type { Upload } from './upload.js';

/** The parts of a request as they were read, and what was wrong with them already. */
export type Parts = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  problems: readonly Problem[];
  /** The file that is the body, of an operation that takes one. */
  upload?: Upload;
};

/** A request that passed: what the handler gets, and the explicit arguments that its fingerprint covers. */
export type Valid = { input: Record<string, unknown>; explicit: Record<string, unknown> };

type Parsed = Problems & { value: Record<string, unknown> };

const parsePart = (schema: OperationDeclaration['params'], sent: Record<string, unknown>, whole: string): Parsed => {
  if (schema === undefined) {
    const unknown = Object.keys(sent).map((field) => ({ field, message: 'is not taken here; nothing is' }));
    return { value: {}, unknown, values: [] };
  }
  const result = schema.safeParse(sent);
  if (result.success) return { value: result.data, unknown: [], values: [] };
  return { value: {}, ...problemsOf(result.error, sent, whole) };
};

const without = (fields: Record<string, unknown>, dropped: readonly string[]): Record<string, unknown> =>
  dropped.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.includes(name)));

/** The parsed values of the fields that were sent: defaults are not filled in (reliability 3.2). */
const sentOnly = (value: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(sent, name)));

const tellable = (problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, field: tellableName(problem.field) }));

/**
 * Every problem of a body at once: missing fields first, then wrong values in the order of the fields, those that only
 * the day of the request tells among them (domain 2-plans 1).
 */
const allValues = (
  { body, judge }: OperationDeclaration,
  sent: Record<string, unknown>,
  values: readonly Problem[],
  today: string,
): readonly Problem[] => {
  const told = new Set(values.map((problem) => problem.field));
  const judged = (judge?.(sent, today) ?? []).filter((problem) => !told.has(problem.field));
  if (judged.length === 0) return values;
  const order = Object.keys(body?.shape ?? {});
  const place = ({ field }: Problem) => order.indexOf(field) + (sent[field] === undefined ? 0 : order.length);
  return [...values, ...judged].sort((one, other) => place(one) - place(other));
};

/**
 * Checks 9 and 10 (domain 4-doors 10): first everything about the request's shape as one 400 (path ids, query names
 * and values, unknown body fields, what could not be read), then missing and wrong values of the body as one 422.
 */
export const validate = (operation: OperationDeclaration, parts: Parts, today: string): Valid => {
  const sentBody = without(parts.body, operation.ignored ?? []);
  const params = parsePart(operation.params, parts.params, 'path');
  const query = parsePart(operation.query, parts.query, 'query');
  const body = parsePart(operation.body, sentBody, 'body');

  const shape = [
    ...parts.problems,
    ...params.unknown,
    ...params.values,
    ...query.unknown,
    ...query.values,
    ...body.unknown,
  ];
  if (shape.length > 0) throw badRequest(tellable(shape));
  if (body.values.length > 0) throw unprocessable(tellable(allValues(operation, sentBody, body.values, today)));

  return {
    input: { ...query.value, ...body.value, ...params.value },
    explicit: {
      ...sentOnly(query.value, parts.query),
      ...sentOnly(body.value, sentBody),
      ...sentOnly(params.value, parts.params),
    },
  };
};
