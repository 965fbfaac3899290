import type { z } from 'zod';
import { distance } from './catalog/segments.js';
import type { Problem } from './error.js';

/** The problems of one part of a request, by the status they lead to (docs/domain/requests.md#order-of-errors). */
export type Problems = {
  /** Fields that the operation does not accept: 400 for both query and body. */
  unknown: Problem[];
  /** Missing and wrong values, missing ones first: 400 for params and query, 422 for a body. */
  values: Problem[];
};

type Issue = z.core.$ZodIssue;

/** A field as the caller named it: `key_messages[2]`, `context.name`, or `whole` for the part itself. */
const fieldOf = (path: readonly PropertyKey[], whole: string): string =>
  path.reduce<string>(
    (field, step) =>
      typeof step === 'number' ? `${field}[${step}]` : field === '' ? String(step) : `${field}.${String(step)}`,
    '',
  ) || whole;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    input,
  );

/** Each field once, missing ones first, then in the order of the fields (docs/domain/plans.md#campaign-input). */
export const inOrderOf = (
  fields: readonly string[],
  sent: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Problem[] => {
  const place = ({ field }: Problem) => {
    // A problem inside a list or an object is sorted as the field that holds it.
    const [name = ''] = field.split(/[.[]/, 1);
    return fields.indexOf(name) + (sent[name] === undefined ? 0 : fields.length);
  };
  return [...new Map([...problems].reverse().map((problem) => [problem.field, problem])).values()].sort(
    (one, other) => place(one) - place(other),
  );
};

/** The accepted field that an unknown one means, if it is the only one: `budget` is `budget_usd`. */
const meant = (key: string, accepted: readonly string[]): string | null => {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const word = plain(key);
  const same = accepted.filter((name) => plain(name) === word);
  const longer = accepted.filter((name) => word.length >= 3 && plain(name).startsWith(word));
  const near = accepted.filter((name) => word.length >= 5 && distance(plain(name), word) <= 2);
  const [found, ...others] = [same, longer, near].find((names) => names.length > 0) ?? [];
  return found === undefined || others.length > 0 ? null : found;
};

const suggesting = (message: string, key: string): string => {
  const [, list = ''] = message.split('; accepted: ');
  const name = meant(key, list.split(', '));
  return name === null ? message : message.replace('; accepted: ', `; use ${name}. Accepted: `);
};

/**
 * The issues of a failed parse of `input` as problems (docs/specification.md#errors). `whole` names the part itself, as
 * in `body`; of several issues on one field the first is reported.
 */
export const problemsOf = (error: { issues: readonly Issue[] }, input: unknown, whole: string): Problems => {
  const unknown: Problem[] = [];
  const missing: Problem[] = [];
  const wrong: Problem[] = [];
  const reported = new Set<string>();
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        unknown.push({ field: fieldOf([...issue.path, key], whole), message: suggesting(issue.message, key) });
      continue;
    }
    const field = fieldOf(issue.path, whole);
    if (reported.has(field)) continue;
    reported.add(field);
    (valueAt(input, issue.path) === undefined ? missing : wrong).push({ field, message: issue.message });
  }
  return { unknown, values: [...missing, ...wrong] };
};
