import { badRequest, type OperationDeclaration, type Problem, type Problems, problemsOf } from '@cds/contracts';
import type { z } from 'zod';
import { safeName } from '../http/query.js';
import type { Upload } from '../upload.js';
import type { SentKey } from './idempotency.js';

/** The parts of a request as they were read, and the problems found so far. */
export type Parts = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** null if it could not be read: then nothing is said to be missing. */
  body: Record<string, unknown> | null;
  problems: readonly Problem[];
  /** Numbers and booleans may be sent as text, as many MCP clients do. */
  textForValues?: true;
  /** The file, when it is the body. */
  upload?: Upload;
};

/**
 * A request with a valid shape: its Idempotency-Key, the handler's input, the explicit arguments that the fingerprint
 * covers, and what is wrong with the values of the body.
 */
export type Shaped = {
  key: string | null;
  input: Record<string, unknown>;
  explicit: Record<string, unknown>;
  body: { sent: Record<string, unknown>; wrong: readonly Problem[] };
};

type Parsed = Problems & { value: Record<string, unknown> };

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;

/** The number or boolean that a text stands for; anything else as it is. */
const valueOfText = (expected: string, sent: unknown): unknown => {
  if (typeof sent !== 'string') return sent;
  if (expected === 'number' && NUMBER.test(sent)) return Number(sent);
  return expected === 'boolean' && (sent === 'true' || sent === 'false') ? sent === 'true' : sent;
};

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );

/** A copy of what was sent, in which the texts that a parse refused as no number or boolean are what they stand for. */
const withValuesOfTexts = (
  issues: readonly z.core.$ZodIssue[],
  sent: Record<string, unknown>,
): Record<string, unknown> => {
  const copy = structuredClone(sent);
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue;
    const [last = ''] = issue.path.slice(-1);
    const holder = at(copy, issue.path.slice(0, -1));
    if (typeof holder === 'object' && holder !== null && Object.hasOwn(holder, last))
      Reflect.set(holder, last, valueOfText(issue.expected, Reflect.get(holder, last)));
  }
  return copy;
};

const parsePart = (
  schema: OperationDeclaration['params'],
  sent: Record<string, unknown>,
  whole: string,
  textForValues: boolean,
): Parsed => {
  if (schema === undefined) {
    const unknown = Object.keys(sent).map((field) => ({
      field,
      message: 'is not accepted here; this operation takes no such fields',
    }));
    return { value: {}, unknown, values: [] };
  }
  const result = schema.safeParse(sent);
  if (result.success) return { value: result.data, unknown: [], values: [] };
  return textForValues
    ? parsePart(schema, withValuesOfTexts(result.error.issues, sent), whole, false)
    : { value: {}, ...problemsOf(result.error, sent, whole) };
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

/** The problems of fields that the body does not have. An unread body misses none. */
const missingOf = (
  { body }: OperationDeclaration,
  sent: Parts['body'],
  problems: readonly Problem[],
): readonly Problem[] =>
  sent === null
    ? []
    : problems.filter(({ field }) => Object.hasOwn(body?.shape ?? {}, field) && !Object.hasOwn(sent, field));

/**
 * Steps 8 and 9 (docs/domain/access.md#order-of-errors): everything wrong with the key and the shape as one 400, which
 * covers path ids, query names and values, unknown body fields and malformed parts. Where the key or a path id is
 * missing it names what the body misses as well, so that a caller learns everything that is required at once.
 * Otherwise, missing and wrong values of the body are left to step 10.
 */
export const validate = (operation: OperationDeclaration, parts: Parts, sentKey: SentKey = { key: null }): Shaped => {
  const lenient = parts.textForValues === true;
  const sentBody = without(parts.body ?? {}, operation.ignored ?? []);
  const params = parsePart(operation.params, parts.params, 'path', lenient);
  const query = parsePart(operation.query, parts.query, 'query', lenient);
  const body = parsePart(operation.body, sentBody, 'body', lenient);

  const shape = [
    ...('problem' in sentKey ? [sentKey.problem] : []),
    ...parts.problems,
    ...params.unknown,
    ...params.values,
    ...query.unknown,
    ...query.values,
    ...body.unknown,
  ];
  const lacking = 'problem' in sentKey || params.values.some(({ field }) => !Object.hasOwn(parts.params, field));
  const missing = lacking ? missingOf(operation, parts.body, body.values) : [];
  if (shape.length > 0) throw badRequest(withSafeNames([...shape, ...missing]));

  return {
    key: 'key' in sentKey ? sentKey.key : null,
    input: { ...query.value, ...body.value, ...params.value },
    explicit: {
      ...sentOnly(query.value, parts.query),
      ...sentOnly(body.value, sentBody),
      ...sentOnly(params.value, parts.params),
    },
    body: { sent: sentBody, wrong: body.values },
  };
};
