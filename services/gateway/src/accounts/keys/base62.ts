import { randomBytes } from 'node:crypto';

/** The alphabet of keys and tokens, in the order of its values (docs/domain/access.md#keys). */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Four times 62: larger bytes would favour the first characters. */
const FAIR = 248;

export const random62 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
};

export const toBase62 = (value: number, length: number): string => {
  let rest = value;
  let digits = '';
  while (rest > 0) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(length, '0');
};
