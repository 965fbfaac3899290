import { z } from 'zod';
import { codePointCount } from './text.js';

/**
 * Input fields whose problem messages are written by us and state what the field accepts (spec, "Errors", 400 and 422).
 * A missing value and a wrong one get the same sentence; the missing one says first that the field is required.
 */
type Issue = { input?: unknown };
const says =
  (accepts: string) =>
  (issue: Issue): string =>
    issue.input === undefined ? `is required and ${accepts}` : accepts;

const listed = (values: readonly string[]): string => values.join(', ');

/** The text of a length rule, in words. */
const lengthRule = (min: number, max: number): string =>
  `must be text of ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')} characters after trimming`;

/** Text that is trimmed and measured in code points (domain 2-plans 1). A lone surrogate is no text: no store keeps it. */
export const codePoints = ({ min = 1, max }: { min?: number; max: number }) => {
  const error = says(lengthRule(min, max));
  return z
    .string({ error })
    .trim()
    .refine((text) => text.isWellFormed() && codePointCount(text) >= min && codePointCount(text) <= max, { error })
    .meta({ minLength: min, maxLength: max });
};

/** One of a closed list of words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: says(`must be one of ${listed(values)}`) });

/**
 * A UUID in a path, a query or a body: any value of the form that `format: uuid` names, whatever its version, so that
 * an id of nobody is answered as absent and not as malformed.
 */
export const uuidInput = (accepts = 'must be a UUID') => z.guid({ error: says(accepts) }).meta({ format: 'uuid' });

/** A real calendar day, YYYY-MM-DD. */
export const dateInput = () => z.iso.date({ error: says('must be a real date, YYYY-MM-DD') });

/** An instant with an offset or Z. */
export const instantInput = () =>
  z.iso.datetime({ offset: true, error: says('must be an ISO 8601 date-time with an offset or Z') });

/**
 * A safe integer. Other than `z.int`, a fraction does not end the reading of the object around it, so that the problems of
 * two fields are told beside it.
 */
export const wholeNumber = (error: (issue: Issue) => string) =>
  z.number({ error }).refine(Number.isSafeInteger, { error }).meta({ type: 'integer' });

/** A JSON integer within bounds. */
export const integerInput = ({ min, max }: { min: number; max: number }) => {
  const error = says(`must be a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`);
  return wholeNumber(error).min(min, { error }).max(max, { error });
};

/** A JSON boolean. */
export const booleanInput = () => z.boolean({ error: says('must be true or false') });

/** An amount of US dollars above 0, with at most two decimals (domain 2-plans 1). */
export const usdInput = ({ max }: { max: number }) => {
  const error = says(
    `must be a number of US dollars above 0, at most ${max.toLocaleString('en-US')}, with at most two decimals`,
  );
  return z.number({ error }).gt(0, { error }).max(max, { error }).refine(hasAtMostTwoDecimals, { error });
};

/** Whether the decimal writing of a number has at most two digits behind the point. */
export function hasAtMostTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value;
}

/** A string constrained by a pattern that is told in words. */
export const patternInput = (pattern: RegExp, accepts: string) => {
  const error = says(accepts);
  return z.string({ error }).regex(pattern, { error });
};

/** Any string; for values that are compared, never parsed. */
export const stringInput = (accepts: string) => z.string({ error: says(accepts) });

/**
 * The object of one part of a request (params, query or body). It is closed: an unknown name is a problem of its own,
 * with issue code `unrecognized_keys`, and the message lists what is taken (domain 4-doors 11).
 */
export const closed = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `is not taken here; ${Object.keys(shape).length === 0 ? 'nothing is' : `accepted: ${listed(Object.keys(shape))}`}`
        : 'must be a JSON object',
  });

/** The sentence of a problem, for refinements over several fields. */
export const saying = says;
