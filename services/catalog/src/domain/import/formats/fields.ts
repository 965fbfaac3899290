/** Reads one value of an import: undefined when it is not stated, null when it is stated as unknown. */
import { instantIn, isDay } from '@cds/contracts';

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

/** An ISO 8601 date or date-time. */
export const dayOrInstantIn = (value: unknown): Date | null => (isDay(value) ? new Date(value) : instantIn(value));

export const instantOf = (fields: Fields, field: string): Date | null | undefined => {
  const value = fields[field];
  if (value === undefined || value === null) return value;
  const at = dayOrInstantIn(value);
  if (at === null) throw new BadField(field, 'must be an ISO 8601 date-time');
  return at;
};
