/** Reads one value of an import: undefined when it is not stated, null when it is stated as unknown. */

export class BadField extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown, field: string): Fields => {
  if (!isFields(value)) throw new BadField(field, 'must be a JSON object');
  return value;
};

export const textOf = (fields: Fields, field: string): string | null | undefined => {
  const value = fields[field];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string') throw new BadField(field, 'must be text');
  return value;
};

export const idOf = (fields: Fields, field: string): string => {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') throw new BadField(field, 'is required and must be text');
  return value;
};

export const countOf = (fields: Fields, field: string): number | null | undefined => {
  const value = fields[field];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new BadField(field, 'must be a whole number of at least 0');
  return value;
};

export const flagOf = (fields: Fields, field: string): boolean | undefined => {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw new BadField(field, 'must be true or false');
  return value;
};

const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** Whether the month has that day; `Date` would roll over into the next month. */
const isDayOfMonth = (text: string): boolean => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(text.slice(8, 10));
};

/** An ISO 8601 date or date-time; null for anything else, including days that do not exist. */
export const instantIn = (text: unknown): Date | null => {
  if (typeof text !== 'string' || !INSTANT.test(text) || !isDayOfMonth(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
};

export const instantOf = (fields: Fields, field: string): Date | null | undefined => {
  const value = fields[field];
  if (value === undefined || value === null) return value;
  const at = instantIn(value);
  if (at === null) throw new BadField(field, 'must be an ISO 8601 date-time');
  return at;
};
