import { canonicalJson } from '@cds/service/canonical-json';

/** RFC 8785. Raises a TypeError for what two readers could write differently (docs/domain/orders.md#receipts). */
export const canonicalReceipt = (value: unknown): string => {
  mustBePlain(value);
  return canonicalJson(value);
};

const mustBePlain = (value: unknown): void => {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') mustBeWellFormed(value);
  else if (typeof value === 'number') mustBeSafe(value);
  // Iterating includes the holes of an array.
  else if (Array.isArray(value)) for (const inner of value) mustBePlain(inner);
  else if (typeof value === 'object') for (const field of Object.entries(value)) mustBePlain(field);
  else throw new TypeError(`a receipt holds no ${typeof value}`);
};

const mustBeWellFormed = (text: string): void => {
  if (!text.isWellFormed()) throw new TypeError('a receipt holds no half of a surrogate pair');
};

const mustBeSafe = (value: number): void => {
  if (!Number.isSafeInteger(value)) throw new TypeError(`a receipt holds no number such as ${value}`);
};
