import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './home.ts';

/** PKCS #8 of an Ed25519 key is this and the 32 bytes of its seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key with which a service signs its audit: PKCS #8 in DER, in base64. */
export function auditKey(master: string, service: string) {
  const seed = createHmac('sha256', Buffer.from(master, 'base64')).update(`audit:${service}`).digest();
  return Buffer.concat([PKCS8, seed]).toString('base64');
}

const publicPem = (key: string) =>
  createPublicKey(createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })).export({
    format: 'pem',
    type: 'spki',
  });

/** Writes the public keys of all services beside the checkpoints, for `npm run audit:verify -- --public-key`. */
export function writePublicKeys(home: Home, keys: readonly string[]) {
  writeFileSync(join(home.folder('audit'), 'public-keys.pem'), keys.map(publicPem).join(''));
}
