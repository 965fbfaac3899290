import { randomInt } from 'node:crypto';
// Imported whole, since an older Node, without crc32, reads this file before it starts another one.
import zlib from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function random62(length: number) {
  return Array.from({ length }, () => ALPHABET[randomInt(62)]).join('');
}

function checksum62(text: string) {
  let rest = zlib.crc32(text);
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET[rest % 62] + digits;
  return digits.padStart(6, '0');
}

/** Prefix, 12 characters of public id, 43 of secret, 6 of checksum over all before it. */
export function makeToken(prefix: string) {
  const head = `${prefix}${random62(12)}_${random62(43)}`;
  return head + checksum62(head);
}
