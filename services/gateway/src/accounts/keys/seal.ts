import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { type KeyRing, keyOfVersion, versionInUse } from '@cds/service/key-ring';

export type SealKeys = KeyRing<KeyObject>;

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret with AES-256-GCM under the key in use. `place` names where it is stored and is authenticated with
 * it, so that a sealed text opens nowhere else.
 */
export const seal = (keys: SealKeys, place: string, secret: string): string => {
  const version = versionInUse(keys);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys, version), iv).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
};

/** Decrypts a sealed secret; throws when the key it names is gone, or when it was not sealed for this place. */
export const unseal = (keys: SealKeys, place: string, sealed: string): string => {
  const [version = '', text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, version), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

const keyOf = (keys: SealKeys, version: string): KeyObject => {
  const key = keyOfVersion(keys, version);
  if (key !== undefined) return key;
  const known = Object.keys(keys).join(', ');
  throw new Error(`seal key version ${version} is missing: put it back into CDS_SEAL_KEYS, which has ${known}`);
};

export const isNewestSeal = (keys: SealKeys, sealed: string): boolean => sealed.startsWith(`${versionInUse(keys)}.`);
