import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @param {number} length */
function random62(length) {
  return Array.from({ length }, () => ALPHABET[randomInt(62)]).join('');
}

/**
 * CRC-32 (IEEE); node:zlib has it only from Node 22.2 on, and this file runs on older ones.
 * @param {string} text
 */
export function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** @param {string} text */
export function checksum62(text) {
  let rest = crc32(text);
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET[rest % 62] + digits;
  return digits.padStart(6, '0');
}

/**
 * Prefix, 12 characters of public id, 43 of secret, 6 of checksum over all before it.
 * @param {string} prefix
 */
export function makeToken(prefix) {
  const head = `${prefix}${random62(12)}_${random62(43)}`;
  return head + checksum62(head);
}
