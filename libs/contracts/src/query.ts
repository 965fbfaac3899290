import { z } from 'zod';
import { hasAtMostTwoDecimals, saying, wholeNumber } from './input.js';

/** REST sends a string under strict rules (docs/domain/requests.md#every-request), MCP a JSON number or boolean. */
const DIGITS = /^\d{1,15}$/;
const DECIMAL = /^\d{1,15}(\.\d{1,10})?$/;

const fromDigits = (value: unknown): unknown =>
  typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;

const fromDecimal = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;

const fromWord = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value);

const range = (min: number, max: number | undefined): string =>
  max === undefined ? `from ${min}` : `from ${min} to ${max.toLocaleString('en-US')}`;

/** A whole number. Without a `max`, any safe integer from `min` is accepted. */
export const queryInteger = ({ min = 0, max }: { min?: number; max?: number } = {}) => {
  const error = saying(`must be a whole number ${range(min, max)}, in decimal digits`);
  const integer = wholeNumber(error).min(min, { error });
  return z.preprocess(fromDigits, max === undefined ? integer : integer.max(max, { error }));
};

export const queryOneOf = <const T extends readonly number[]>(values: T) =>
  z.preprocess(fromDigits, z.literal(values, { error: saying(`must be one of ${values.join(', ')}`) }));

/** A decimal number with at most two decimals. */
export const queryNumber = ({ min = 0, max }: { min?: number; max: number }) => {
  const error = saying(`must be a number ${range(min, max)} with at most two decimals`);
  return z.preprocess(
    fromDecimal,
    z.number({ error }).min(min, { error }).max(max, { error }).refine(hasAtMostTwoDecimals, { error }),
  );
};

export const queryBoolean = () => z.preprocess(fromWord, z.boolean({ error: saying('must be true or false') }));
