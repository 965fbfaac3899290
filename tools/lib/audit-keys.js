import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PKCS #8 of an Ed25519 key is this and the 32 bytes of its seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key with which a service signs its audit: PKCS #8 in DER, in base64.
 * @param {string} master
 * @param {string} service
 */
export function auditKey(master, service) {
  const seed = createHmac('sha256', Buffer.from(master, 'base64')).update(`audit:${service}`).digest();
  return Buffer.concat([PKCS8, seed]).toString('base64');
}

/** @param {string} key */
const publicPem = (key) =>
  createPublicKey(createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })).export({
    format: 'pem',
    type: 'spki',
  });

/**
 * Writes the public keys of all services beside the checkpoints, for `npm run audit:verify -- --public-key`.
 * @param {import('./home.js').Home} home
 * @param {readonly string[]} keys
 */
export function writePublicKeys(home, keys) {
  writeFileSync(join(home.folder('audit'), 'public-keys.pem'), keys.map(publicPem).join(''));
}
