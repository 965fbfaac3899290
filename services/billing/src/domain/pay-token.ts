import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';

// The token of a payment link (domain 3-orders 6.3) is kept encrypted wherever it is stored: the hold, the order and
// the recorded answer; whoever reads a database backup gets no payable link (reliability S22).

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_LENGTH = 43;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A sealed token starts with a character that no token holds. */
const SEALED = '~';

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

/** Encrypts a token with AES-256-GCM; `iv` is 12 random bytes. */
export const sealToken = (key: Buffer, token: string, iv: Uint8Array): string => {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return SEALED + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
};

/** Decrypts a sealed token; throws when it was not sealed under this key. */
export const openToken = (key: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

/** Replaces every sealed token in the links of a JSON text by the token itself. */
export const openLinks = (key: Buffer, json: string): string =>
  json.replace(/\/pay\/(~[\w-]+)/g, (_all, sealed: string) => `/pay/${openToken(key, sealed)}`);

/** What an order is found by when its link is opened. */
export const payTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The token that the forms of a pay page carry, so that no other site can post them. */
export const formTokenOf = (key: Buffer, token: string): string =>
  createHmac('sha256', key).update(`form|${token}`).digest('base64url');

export const isFormToken = (key: Buffer, token: string, given: string): boolean => {
  const wanted = Buffer.from(formTokenOf(key, token));
  const sent = Buffer.from(given);
  return wanted.length === sent.length && timingSafeEqual(wanted, sent);
};
