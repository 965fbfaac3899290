import { createCipheriv, createDecipheriv, createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

// The token of a payment link (domain 3-orders 6.3) is kept encrypted wherever it is stored: the hold, the order and
// the recorded answer; whoever reads a database backup gets no payable link (reliability S22).

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_LENGTH = 43;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A sealed token starts with a character that no token holds, then the version of its key and a dot. */
const SEALED = '~';
/** The version of a seal that names none. */
const FIRST_VERSION = '1';

/** The keys that tokens are sealed with, by version: the highest seals, every one opens what it sealed. */
export type PayKeys = Readonly<Record<string, KeyObject>>;

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

/** Encrypts a token with AES-256-GCM under the newest key; `iv` is 12 random bytes. */
export const sealToken = (keys: PayKeys, token: string, iv: Uint8Array): string => {
  const version = newestOf(keys);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys, version), iv);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return `${SEALED}${version}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
};

/** Decrypts a sealed token; throws when the key that it names is gone or did not seal it. */
export const openToken = (keys: PayKeys, sealed: string): string => {
  const [text = '', version = FIRST_VERSION] = sealed.slice(SEALED.length).split('.').reverse();
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, version), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

const newestOf = (keys: PayKeys): string => String(Math.max(...Object.keys(keys).map(Number)));

const keyOf = (keys: PayKeys, version: string): KeyObject => {
  const key = keys[version];
  if (key === undefined) {
    const known = Object.keys(keys).join(', ');
    throw new Error(`no pay-token key of version ${version}: put it back into CDS_PAY_TOKEN_KEYS, which has ${known}`);
  }
  return key;
};

/** What an order is found by when its link is opened. */
export const payTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The token that the forms of a pay page carry, so that no other site can post them. */
export const formTokenOf = (key: KeyObject, token: string): string =>
  createHmac('sha256', key).update(token).digest('base64url');

export const isFormToken = (key: KeyObject, token: string, given: string): boolean => {
  const wanted = Buffer.from(formTokenOf(key, token));
  const sent = Buffer.from(given);
  return wanted.length === sent.length && timingSafeEqual(wanted, sent);
};
