import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { publicKeyOf, type ReceiptKeys, receiptKeyOf, signingFirst, thumbprintOf } from './receipt-key.js';

/** The Ed25519 key of RFC 8037, appendix A, and its thumbprint of appendix A.3. */
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

describe('the key of receipts', () => {
  it('is the one that its seed stands for', () => {
    expect(createPublicKey(receiptKeyOf(SEED)).export({ format: 'jwk' })).toEqual({ kty: 'OKP', crv: 'Ed25519', x: X });
  });

  it('is named by its thumbprint (RFC 7638)', () => {
    expect(thumbprintOf(X)).toBe(KID);
  });

  it('is published without its private part', () => {
    expect(publicKeyOf(receiptKeyOf(SEED))).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: X,
      kid: KID,
      use: 'sig',
      alg: 'EdDSA',
    });
  });

  it('is needed as 32 bytes, and is an Ed25519 key', () => {
    expect(() => receiptKeyOf(SEED.subarray(1))).toThrow();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    expect(() => publicKeyOf(privateKey)).toThrow('not an Ed25519 key');
  });

  it.each<[string[], string[]]>([
    [['1'], ['1']],
    [
      ['1', '2', '10'],
      ['10', '2', '1'],
    ],
    [
      ['10', '9', '2'],
      ['10', '9', '2'],
    ],
  ])('of the versions %j comes in the order %j: the newest is a number, not a word', (versions, order) => {
    const keys: ReceiptKeys = Object.fromEntries(
      versions.map((version) => [version, receiptKeyOf(Buffer.alloc(32, Number(version)))]),
    );
    expect(signingFirst(keys)).toEqual(order.map((version) => keys[version]));
  });
});
