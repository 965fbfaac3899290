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

export type Shaped = {
  key: string | null;
  input: Record<string, unknown>;
  explicit: Record<string, unknown>;
  body: { sent: Record<string, unknown>; wrong: readonly Problem[] };
};

/** `sent` is what the sender meant: without refused nulls, and with the values of texts. */
type Parsed = Problems & { value: Record<string, unknown>; sent: Record<string, unknown> };

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;

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

/** The issues of a parse, those within a union at their full path too. */
const allIssues = (issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): z.core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    const inner = issue.code === 'invalid_union' ? issue.errors.flatMap((errors) => allIssues(errors, path)) : [];
    return [{ ...issue, path }, ...inner];
  });

/**
 * What its sender meant: without refused nulls, and with the values that texts stand for; undefined if nothing differs.
 */
const asMeant = (
  issues: readonly z.core.$ZodIssue[],
  sent: Record<string, unknown>,
  textForValues: boolean,
): Record<string, unknown> | undefined => {
  const copy = structuredClone(sent);
  let differs = false;
  for (const issue of allIssues(issues)) {
    const [last = ''] = issue.path.slice(-1);
    const holder = at(copy, issue.path.slice(0, -1));
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) continue;
    const value = Reflect.get(holder, last);
    if (value === null && !Array.isArray(holder)) differs = Reflect.deleteProperty(holder, last);
    else if (textForValues && issue.code === 'invalid_type') {
      const meant = valueOfText(issue.expected, value);
      if (meant !== value) differs = Reflect.set(holder, last, meant);
    }
  }
  return differs ? copy : undefined;
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
    return { value: {}, sent, unknown, values: [] };
  }
  const result = schema.safeParse(sent);
  if (result.success) return { value: result.data, sent, unknown: [], values: [] };
  const meant = asMeant(result.error.issues, sent, textForValues);
  const again = meant === undefined ? result : schema.safeParse(meant);
  return again.success
    ? { value: again.data, sent: meant ?? sent, unknown: [], values: [] }
    : { value: {}, sent: meant ?? sent, ...problemsOf(again.error, meant ?? sent, whole) };
};

const without = (fields: Record<string, unknown>, dropped: readonly string[]): Record<string, unknown> =>
  dropped.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.includes(name)));

/** The parsed values of the fields that were sent, without defaults (docs/reliability.md#idempotency). */
const sentOnly = (value: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(sent, name)));

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
 * Steps 8 and 9 (docs/domain/requests.md#order-of-errors): everything wrong with the shape as one 400. If the key or a
 * path id is missing, it names what the body misses too; otherwise the body's values are left to step 10.
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
  const lacking = 'problem' in sentKey || params.values.some(({ field }) => !Object.hasOwn(params.sent, field));
  const missing = lacking ? missingOf(operation, parts.body === null ? null : body.sent, body.values) : [];
  if (shape.length > 0) throw badRequest(withSafeNames([...shape, ...missing]));

  return {
    key: 'key' in sentKey ? sentKey.key : null,
    input: { ...query.value, ...body.value, ...params.value },
    explicit: {
      ...sentOnly(query.value, query.sent),
      ...sentOnly(body.value, body.sent),
      ...sentOnly(params.value, params.sent),
    },
    body: { sent: body.sent, wrong: body.values },
  };
};
