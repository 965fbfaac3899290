import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '../pure/canonical-json.js';

export type Signed = { key: string; signature: string };

/** The Ed25519 key with which a process signs checkpoints and exports (docs/reliability.md#audit-format). */
export class AuditKey {
  readonly name: string;

  constructor(private readonly key: KeyObject) {
    this.name = publicNameOf(key);
  }

  /** Reads a PKCS #8 private key in DER, as `CDS_AUDIT_KEY` has it. Throws if it is not an Ed25519 key. */
  static read(der: Buffer): AuditKey {
    return new AuditKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  }

  sign<T extends object>(statement: T): T & Signed {
    const named = { ...statement, key: this.name };
    return { ...named, signature: sign(null, Buffer.from(canonicalJson(named)), this.key).toString('base64url') };
  }
}

const publicNameOf = (key: KeyObject): string => {
  const { crv, x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new Error('not an Ed25519 key');
  return x;
};

export const isSigned = ({ signature, ...named }: Signed): boolean => {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: named.key }, format: 'jwk' });
    return verify(null, Buffer.from(canonicalJson(named)), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};
