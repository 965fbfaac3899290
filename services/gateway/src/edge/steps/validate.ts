import { badRequest, type OperationDeclaration, type Problem, type Problems, problemsOf } from '@cds/contracts';
import { safeName } from '../http/query.js';
import type { Upload } from '../upload.js';

/** The parts of a request as they were read, and the problems found so far. */
export type Parts = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  problems: readonly Problem[];
  /** The file, when it is the body. */
  upload?: Upload;
};

/**
 * A request with a valid shape: the handler's input, the explicit arguments that the fingerprint covers, and what is
 * wrong with the values of the body.
 */
export type Shaped = {
  input: Record<string, unknown>;
  explicit: Record<string, unknown>;
  body: { sent: Record<string, unknown>; wrong: readonly Problem[] };
};

type Parsed = Problems & { value: Record<string, unknown> };

const parsePart = (schema: OperationDeclaration['params'], sent: Record<string, unknown>, whole: string): Parsed => {
  if (schema === undefined) {
    const unknown = Object.keys(sent).map((field) => ({
      field,
      message: 'is not accepted here; this operation takes no such fields',
    }));
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

/** The parsed values of the fields that were sent, without defaults (docs/reliability.md#idempotency). */
const sentOnly = (value: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(sent, name)));

/** The problems with field names that an answer may repeat. */
export const withSafeNames = (problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, field: safeName(problem.field) }));

/**
 * Step 9 (docs/domain/access.md#order-of-errors): everything wrong with the shape as one 400, which covers path ids,
 * query names and values, unknown body fields and malformed parts. Missing and wrong values of the body are left to
 * step 10.
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
  if (shape.length > 0) throw badRequest(withSafeNames(shape));

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
