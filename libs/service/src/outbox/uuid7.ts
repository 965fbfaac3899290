import { randomBytes } from 'node:crypto';

/** A UUID version 7. Ids of one process rise with time, so a scan by id is a scan by age. */
export const uuid7 = (at: Date): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** When an id was made; null if it is no UUID version 7. */
export const timeOfUuid7 = (id: string): Date | null =>
  /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)
    ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
    : null;

/** A lower bound: every id made at `at` or later sorts after it. */
export const earliestUuid7 = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
};
