import { createCipheriv, createDecipheriv, createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyRing, keyOfVersion, versionInUse } from '@cds/service/key-ring';

// Pay tokens are encrypted wherever they are stored, so a database backup holds no payable link
// (docs/domain/orders.md#payment-link, docs/reliability.md#threats).

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_LENGTH = 43;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = '~';
const FIRST_VERSION = '1';

export type PayKeys = KeyRing<KeyObject>;

/** 32 random bytes as 43 characters of base62. */
export const payTokenOf = (bytes: Uint8Array): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < TOKEN_LENGTH; digit += 1) {
    text = `${ALPHABET[Number(rest % 62n)]}${text}`;
    rest /= 62n;
  }
  return text;
};

/** AES-256-GCM; `iv` is 12 random bytes. */
export const sealToken = (keys: PayKeys, token: string, iv: Uint8Array): string => {
  const version = versionInUse(keys);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys, version), iv);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return `${SEALED}${version}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
};

/** Throws when the key it names is gone or did not seal it. */
export const openToken = (keys: PayKeys, sealed: string): string => {
  const { text, version } = partsOf(sealed);
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, version), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

export const canOpen = (keys: PayKeys, sealed: string): boolean =>
  keyOfVersion(keys, partsOf(sealed).version) !== undefined;

const partsOf = (sealed: string): { text: string; version: string } => {
  const [text = '', version = FIRST_VERSION] = sealed.slice(SEALED.length).split('.').reverse();
  return { text, version };
};

const keyOf = (keys: PayKeys, version: string): KeyObject => {
  const key = keyOfVersion(keys, version);
  if (key === undefined) {
    const known = Object.keys(keys).join(', ');
    throw new Error(
      `pay token key version ${version} is missing: put it back into CDS_PAY_TOKEN_KEYS, which has ${known}`,
    );
  }
  return key;
};

export const payTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Stops other sites from posting the forms of a pay page. */
export const formTokenOf = (key: KeyObject, token: string): string =>
  createHmac('sha256', key).update(token).digest('base64url');

export const isFormToken = (key: KeyObject, token: string, given: string): boolean => {
  const wanted = Buffer.from(formTokenOf(key, token));
  const sent = Buffer.from(given);
  return wanted.length === sent.length && timingSafeEqual(wanted, sent);
};
