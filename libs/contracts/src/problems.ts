import type { z } from 'zod';
import type { Problem } from './error.js';

/** The problems of one parsed part of a request, told apart by the status they lead to (domain 4-doors 10). */
export type Problems = {
  /** Names that the operation does not take: 400 for query and body alike. */
  unknown: Problem[];
  /** Missing and wrong values: 400 for params and query, 422 for a body. Missing ones stand first. */
  values: Problem[];
};

type Issue = z.core.$ZodIssue;

/** A field as the caller named it: `key_messages[2]`, `context.name`; the part's own name for the part itself. */
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

/**
 * Problems of a body as they are told: each field once, missing ones first, both kinds in the order of the fields (domain
 * 2-plans 1).
 */
export const inOrderOf = (
  fields: readonly string[],
  sent: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Problem[] => {
  const place = ({ field }: Problem) => fields.indexOf(field) + (sent[field] === undefined ? 0 : fields.length);
  return [...new Map([...problems].reverse().map((problem) => [problem.field, problem])).values()].sort(
    (one, other) => place(one) - place(other),
  );
};

/**
 * Turns the issues of a failed parse into problems, each message saying what the field accepts (spec, "Errors").
 * `input` is what was parsed; `whole` names the part when the problem is the part itself, as in `body`.
 * Of several issues on one field only the first is told: they share one sentence.
 */
export const problemsOf = (error: { issues: readonly Issue[] }, input: unknown, whole: string): Problems => {
  const unknown: Problem[] = [];
  const missing: Problem[] = [];
  const wrong: Problem[] = [];
  const told = new Set<string>();
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        unknown.push({ field: fieldOf([...issue.path, key], whole), message: issue.message });
      continue;
    }
    const field = fieldOf(issue.path, whole);
    if (told.has(field)) continue;
    told.add(field);
    (valueAt(input, issue.path) === undefined ? missing : wrong).push({ field, message: issue.message });
  }
  return { unknown, values: [...missing, ...wrong] };
};
