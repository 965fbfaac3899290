import { createHmac, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeyRing, keysInOrder } from '@cds/service/key-ring';
import { random62, toBase62 } from './base62.js';

/**
 * The form of an API key (docs/domain/access.md#keys): `cds_live_` or `cds_test_`, 12 characters of public id, `_`, 43
 * of secret and 6 of CRC-32 over all before it.
 */
const KEY = /^cds_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

export type Credential = { publicId: string; secret: string; sandbox: boolean };

/** Peppers by version: the one in use makes new keys. */
export type Peppers = KeyRing<KeyObject>;

const checksumOf = (head: string): string => toBase62(crc32(head), CHECKSUM_LENGTH);

export const readKey = (text: string): Credential | null => {
  const [, kind, publicId, secret, checksum] = KEY.exec(text) ?? [];
  if (publicId === undefined || secret === undefined) return null;
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== checksum) return null;
  return { publicId, secret, sandbox: kind === 'test' };
};

export const newKey = (sandbox: boolean): Credential & { text: string } => {
  const publicId = random62(ID_LENGTH);
  const secret = random62(SECRET_LENGTH);
  const head = `cds_${sandbox ? 'test' : 'live'}_${publicId}_${secret}`;
  return { publicId, secret, sandbox, text: head + checksumOf(head) };
};

const hmacOf = (version: string, pepper: KeyObject, secret: string): string =>
  `${version}:${createHmac('sha256', pepper).update(secret).digest('base64url')}`;

/** The stored form of a new key's secret: HMAC-SHA-256 under the pepper in use, with its version. */
export const storedSecret = (peppers: Peppers, secret: string): string => {
  const [inUse] = keysInOrder(peppers);
  if (inUse === undefined) throw new Error('no pepper is configured');
  return hmacOf(...inUse, secret);
};

export const possibleSecrets = (peppers: Peppers, secret: string): string[] =>
  keysInOrder(peppers).map(([version, pepper]) => hmacOf(version, pepper, secret));
