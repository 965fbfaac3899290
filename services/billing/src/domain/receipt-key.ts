import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { ReceiptKey } from '@cds/contracts';
import { canonicalJson } from '@cds/service/canonical-json';
import { type KeyRing, keysInOrder } from '@cds/service/key-ring';

export type ReceiptKeys = KeyRing<KeyObject>;

/** PKCS #8 of an Ed25519 key is this and the 32 bytes of its seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const receiptKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

/** The thumbprint of an Ed25519 public key (RFC 7638), by which a receipt names the key that signed it. */
export const thumbprintOf = (x: string): string =>
  createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(x)}}`)
    .digest('base64url');

export const publicKeyOf = (key: KeyObject): ReceiptKey => {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('not an Ed25519 key');
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprintOf(x), use: 'sig', alg: 'EdDSA' };
};

export const signingFirst = (keys: ReceiptKeys): KeyObject[] => keysInOrder(keys).map(([, key]) => key);

/** RFC 8785. Raises a TypeError for what two readers could write differently (docs/domain/orders.md#receipts). */
export const canonicalReceipt = (value: unknown): string => {
  mustBePlain(value);
  return canonicalJson(value);
};

const mustBePlain = (value: unknown): void => {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') mustBeWellFormed(value);
  else if (typeof value === 'number') mustBeSafe(value);
  // Iterating includes the holes of an array.
  else if (Array.isArray(value)) for (const inner of value) mustBePlain(inner);
  else if (typeof value === 'object') for (const field of Object.entries(value)) mustBePlain(field);
  else throw new TypeError(`a receipt holds no ${typeof value}`);
};

const mustBeWellFormed = (text: string): void => {
  if (!text.isWellFormed()) throw new TypeError('a receipt holds no half of a surrogate pair');
};

const mustBeSafe = (value: number): void => {
  if (!Number.isSafeInteger(value)) throw new TypeError(`a receipt holds no number such as ${value}`);
};
