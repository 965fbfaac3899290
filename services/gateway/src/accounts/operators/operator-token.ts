import { crc32 } from 'node:zlib';
import { random62, toBase62 } from '../keys/base62.js';
import { type Peppers, possibleSecrets, storedSecret } from '../keys/key-format.js';

/** A key's form, with `ops` as its kind (docs/domain/operators.md#operators, docs/domain/access.md#keys). */
const TOKEN = /^cds_ops_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export type OperatorCredential = { publicId: string; secret: string };

export const readOperatorToken = (text: string): OperatorCredential | null => {
  const [, publicId, secret, checksum] = TOKEN.exec(text) ?? [];
  if (publicId === undefined || secret === undefined) return null;
  return toBase62(crc32(text.slice(0, -6)), 6) === checksum ? { publicId, secret } : null;
};

/** Makes a new token; `stored` is the stored form of its secret, `text` the whole token, which is shown once. */
export const newOperatorToken = (peppers: Peppers): { publicId: string; stored: string; text: string } => {
  const publicId = random62(12);
  const secret = random62(43);
  const head = `cds_ops_${publicId}_${secret}`;
  return { publicId, stored: storedSecret(peppers, secret), text: head + toBase62(crc32(head), 6) };
};

export const possibleOperatorSecrets = possibleSecrets;
