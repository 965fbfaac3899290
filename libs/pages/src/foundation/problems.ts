import type { ErrorBody, Problem } from '@cds/contracts';

export type FieldProblem = { field: string; label: string; message: string };

/** What a page shows of an operation's refusal: problems at their fields, and a notice for everything else. */
export type Shown = { problems: FieldProblem[]; notice: string | null };

export const NOTHING_WRONG: Shown = { problems: [], notice: null };

export type FieldNames = Readonly<Record<string, { field: string; label: string }>>;

const sentence = (message: string): string => {
  const text = message.trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
};

/** `mandate.channels.0` is a problem of the field `channels` when the form has one. */
const fieldOf = (name: string, fields: FieldNames): { field: string; label: string } | undefined =>
  name
    .split('.')
    .map((part) => fields[part])
    .find((found) => found !== undefined);

/** Puts an operation's error where its form can show it. What no field of the form explains stays with the message. */
export const shownOf = (error: ErrorBody, fields: FieldNames): Shown => {
  const problems = (error.details?.['problems'] ?? []) as Problem[];
  const found = problems.flatMap(({ field, message }) => {
    const at = fieldOf(field, fields);
    return at === undefined ? [] : [{ ...at, message: sentence(message) }];
  });
  const all = problems.length > 0 && found.length === problems.length;
  return { problems: found, notice: all ? null : error.message };
};

export const errorAt = (problems: readonly FieldProblem[], field: string): string | undefined =>
  problems.find((problem) => problem.field === field)?.message;
