import { z } from 'zod';
import { hiddenIn } from './hidden.js';
import { cleanText, isVisible, turnsAround, withoutUnseen } from './outside-text/clean.js';
import { type TextKind, textKinds } from './outside-text/kinds.js';
import { codePointCount } from './text.js';

/**
 * Fields whose messages state what they accept (docs/specification.md#errors); missing ones after "is required and".
 */
type Issue = { input?: unknown };
export const saying =
  (accepts: string) =>
  (issue: Issue): string =>
    issue.input === undefined ? `is required and ${accepts}` : accepts;

const listed = (values: readonly string[]): string => values.join(', ');

const lengthRule = (min: number, max: number): string =>
  `must be text of ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')} characters after trimming`;

const sized = (text: string, min: number, max: number): boolean => {
  const count = codePointCount(text);
  return text.isWellFormed() && count >= min && count <= max;
};

type Bounds = { min?: number; max: number };

/** What people read, trimmed and measured in code points; blank when nobody can see a character of it. */
const readable = (text: z.ZodString, kind: TextKind, { min = 1, max }: Bounds) => {
  const error = saying(lengthRule(min, max));
  return text
    .trim()
    .overwrite((clean) => (isVisible(clean) || !clean.isWellFormed() ? clean : ''))
    .refine((clean) => sized(clean, min, max), { error })
    .meta({ minLength: min, maxLength: max })
    .register(textKinds, { kind });
};

/** Text of any number of lines without hidden characters (docs/domain/requests.md#text) and lone surrogates. */
export const codePoints = ({ min = 1, max }: Bounds) =>
  readable(z.string({ error: saying(lengthRule(min, max)) }).overwrite(cleanText), 'text', { min, max });

/** Text on one line, as a name is. Control characters are refused, and those that turn the text around. */
export const lineInput = ({ min = 1, max }: Bounds) =>
  readable(
    z
      .string({ error: saying(lengthRule(min, max)) })
      .refine((text) => !turnsAround(text), { error: 'must not contain characters that turn the text around' })
      .overwrite(withoutUnseen),
    'line',
    { min, max },
  ).refine((text) => !/\p{Cc}/u.test(text), { error: 'must be on one line, without control characters' });

/** What a program made and another reads: a cursor, a reference, an id. It is trimmed and stays as it was sent. */
export const tokenInput = ({ max }: { max: number }) => {
  const error = saying(lengthRule(1, max));
  return z
    .string({ error })
    .trim()
    .refine((text) => sized(text, 1, max), { error })
    .meta({ minLength: 1, maxLength: max })
    .register(textKinds, { kind: 'token' });
};

/** The longest address that mail can be sent to (RFC 5321). */
const EMAIL_MAX = 254;

/** An email address in lower case. Letters beyond ASCII are refused, so that no two addresses look alike. */
export const emailInput = () => {
  const error = saying('must be an email address');
  return z
    .string({ error })
    .trim()
    .toLowerCase()
    .max(EMAIL_MAX, { error })
    .pipe(z.email({ error }))
    .register(textKinds, { kind: 'email' });
};

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: saying(`must be one of ${listed(values)}`) });

/** A UUID of any version, so that an unknown id is not found rather than malformed; lower case from here on. */
export const uuidInput = (accepts = 'must be a UUID') =>
  z
    .guid({ error: saying(accepts) })
    .toLowerCase()
    .meta({ format: 'uuid' });

export const dateInput = () => z.iso.date({ error: saying('must be a real date, YYYY-MM-DD') });

/** An instant with an offset or Z. */
export const instantInput = () =>
  z.iso.datetime({ offset: true, error: saying('must be an ISO 8601 date-time with an offset or Z') });

/** A safe integer. Unlike `z.int`, a fraction does not stop the checks of the object around it. */
export const wholeNumber = (error: (issue: Issue) => string) =>
  z.number({ error }).refine(Number.isSafeInteger, { error }).meta({ type: 'integer' });

export const integerInput = ({ min, max }: { min: number; max: number }) => {
  const error = saying(`must be a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`);
  return wholeNumber(error).min(min, { error }).max(max, { error });
};

export const booleanInput = () => z.boolean({ error: saying('must be true or false') });

/** An amount of US dollars above 0, with at most two decimals (docs/domain/plans.md#campaign-input). */
export const usdInput = ({ max }: { max: number }) => {
  const error = saying(
    `must be a number of US dollars above 0, at most ${max.toLocaleString('en-US')}, with at most two decimals`,
  );
  return z.number({ error }).gt(0, { error }).max(max, { error }).refine(hasAtMostTwoDecimals, { error });
};

export function hasAtMostTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value;
}

export const patternInput = (pattern: RegExp, accepts: string) => {
  const error = saying(accepts);
  return z
    .string({ error })
    .regex(pattern, { error })
    .refine((text) => hiddenIn(text.trim()) === null, { error })
    .register(textKinds, { kind: 'pattern' });
};

export const listInput = <T extends z.ZodType>(item: T, { min = 0, max }: { min?: number; max: number }) => {
  const error = saying(
    min === 0 ? `must be a list of at most ${max} items` : `must be a list of ${min} to ${max} items`,
  );
  return z.array(item, { error }).min(min, { error }).max(max, { error });
};

/** An address as it was sent, trimmed; its operation says which it accepts. */
export const addressInput = ({ max }: { max: number }) =>
  tokenInput({ max })
    .refine((text) => hiddenIn(text) === null && isVisible(text), {
      error: 'must be an address, without hidden characters',
    })
    .register(textKinds, { kind: 'url' });

/** The address of one post on X, with its author's handle and its number. */
export const postUrlInput = () =>
  addressInput({ max: 500 }).refine((text) => POST_URL.test(text), {
    error: 'must be the address of one post on X, such as https://x.com/name/status/1234567890',
  });

const POST_URL = /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/\w{1,15}\/status\/\d{1,19}(?:[/?#]\S*)?$/i;

/** Any string, for values that are compared but never parsed. Nothing can be stored with a lone surrogate. */
export const stringInput = (accepts: string) =>
  z
    .string({ error: saying(accepts) })
    .refine((text) => text.isWellFormed(), { error: saying(accepts) })
    .register(textKinds, { kind: 'token' });

export const fileInput = ({ max }: { max: number }) => tokenInput({ max }).register(textKinds, { kind: 'file' });

/** Whether no string in a value of JSON, nor the name of a field, has a lone surrogate. */
const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, one]) => name.isWellFormed() && isWellFormed(one));
};

/** An object of any fields, whose values the operation reads one by one. */
export const recordInput = () => {
  const error = 'must be a JSON object, whose texts are valid Unicode';
  return z.record(z.string(), z.unknown(), { error }).refine(isWellFormed, { error });
};

const unknownField = (accepted: readonly string[]): string =>
  `is not accepted here; ${accepted.length === 0 ? 'this operation takes no such fields' : `accepted: ${listed(accepted)}`}`;

/**
 * The object of one part of a request. It is closed: an unknown field is a problem whose message lists the accepted
 * ones.
 */
export const closed = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownField(Object.keys(shape)) : 'must be a JSON object'),
  });

/** Lets a rule over two fields run even if other fields failed, so that all problems are reported together. */
export const whenObject = (payload: z.core.ParsePayload): boolean =>
  typeof payload.value === 'object' && payload.value !== null;
