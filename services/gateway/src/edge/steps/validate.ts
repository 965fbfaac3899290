import { type OperationDeclaration, type Problem, type Problems, problemsOf } from '@cds/contracts';
import { tellableName } from '../http/query.js';
import { badRequest } from '../http/refusal.js';
import type { Upload } from '../upload.js';

/** The parts of a request as they were read, and what was wrong with them already. */
export type Parts = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  problems: readonly Problem[];
  /** The file that is the body, of an operation that takes one. */
  upload?: Upload;
};

/**
 * A request whose shape is right: what the handler gets, the explicit arguments that its fingerprint covers, and what is
 * wrong with the values of its body as it was sent.
 */
export type Shaped = {
  input: Record<string, unknown>;
  explicit: Record<string, unknown>;
  body: { sent: Record<string, unknown>; wrong: readonly Problem[] };
};

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

/** Problems whose fields are told as far as they are names that may be told. */
export const tellable = (problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, field: tellableName(problem.field) }));

/**
 * Check 9 (domain 4-doors 10): everything about the request's shape as one 400, which is path ids, query names and values,
 * unknown body fields, and what could not be read. Missing and wrong values of the body are found on the way.
 */
export const validate = (operation: OperationDeclaration, parts: Parts): Shaped => {
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

  return {
    input: { ...query.value, ...body.value, ...params.value },
    explicit: {
      ...sentOnly(query.value, parts.query),
      ...sentOnly(body.value, sentBody),
      ...sentOnly(params.value, parts.params),
    },
    body: { sent: sentBody, wrong: body.values },
  };
};
