import { createHash } from 'node:crypto';

/** A UUID (version 8) that the same words always give: what they name is stored once, however often it is reported. */
export const namedUuid = (...words: readonly string[]): string => {
  const bytes = createHash('sha256').update(words.join('|')).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
