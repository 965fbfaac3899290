import { createHmac, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { random62, toBase62 } from './base62.js';

/**
 * The form of an API key (domain 4-doors 12): `cds_live_` or `cds_test_`, 12 characters of public id, `_`, 43 of secret
 * and 6 of CRC-32 over all before it.
 */
const KEY = /^cds_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** A well-formed key as it was sent; whether it is known is the database's word. */
export type Credential = { publicId: string; secret: string; sandbox: boolean };

/** Peppers by version; the highest makes new keys. */
export type Peppers = Readonly<Record<string, KeyObject>>;

const checksumOf = (head: string): string => toBase62(crc32(head), CHECKSUM_LENGTH);

/** Reads a key, or null when its form or its checksum is wrong: such a key is refused without a read. */
export const readKey = (text: string): Credential | null => {
  const [, kind, publicId, secret, checksum] = KEY.exec(text) ?? [];
  if (publicId === undefined || secret === undefined) return null;
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== checksum) return null;
  return { publicId, secret, sandbox: kind === 'test' };
};

/** Whether a text holds something of a key's form; such a text is never repeated in an answer. */
export const looksLikeKey = (text: string): boolean => /cds_[a-z]{3,4}_/i.test(text);

/** A new key: its public id, its secret, and the whole text that is shown once. */
export const newKey = (sandbox: boolean): Credential & { text: string } => {
  const publicId = random62(ID_LENGTH);
  const secret = random62(SECRET_LENGTH);
  const head = `cds_${sandbox ? 'test' : 'live'}_${publicId}_${secret}`;
  return { publicId, secret, sandbox, text: head + checksumOf(head) };
};

const hmacOf = (version: string, pepper: KeyObject, secret: string): string =>
  `${version}:${createHmac('sha256', pepper).update(secret).digest('base64url')}`;

const newestOf = (peppers: Peppers): [version: string, pepper: KeyObject] => {
  const [newest] = Object.entries(peppers).sort(([one], [other]) => Number(other) - Number(one));
  if (newest === undefined) throw new Error('no pepper is configured');
  return newest;
};

/** What is stored of a new key's secret: HMAC-SHA-256 under the newest pepper, with its version. */
export const storedSecret = (peppers: Peppers, secret: string): string => hmacOf(...newestOf(peppers), secret);

/** What a secret may be stored as: one value per pepper version. */
export const possibleSecrets = (peppers: Peppers, secret: string): string[] =>
  Object.entries(peppers).map(([version, pepper]) => hmacOf(version, pepper, secret));
