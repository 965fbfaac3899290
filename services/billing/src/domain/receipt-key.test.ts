import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { canonicalJson } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalReceipt,
  publicKeyOf,
  type ReceiptKeys,
  receiptKeyOf,
  signingFirst,
  thumbprintOf,
} from './receipt-key.js';

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

describe('the canonical JSON of a receipt (RFC 8785)', () => {
  it.each([
    ['writes literals as they are', [null, true, false], '[null,true,false]'],
    ['writes integers without a sign, point or exponent', [0, -0, 7, -7, 100_000_000], '[0,0,7,-7,100000000]'],
    ['keeps the largest safe integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['sorts names', { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ['sorts a capital before a small letter, and a digit before both', { a: 1, B: 2, 3: 3 }, '{"3":3,"B":2,"a":1}'],
    ['sorts a name before those that it begins', { ab: 1, a: 2, '': 3 }, '{"":3,"a":2,"ab":1}'],
    [
      'sorts names by their UTF-16 units, not by code points',
      { '\ufb33': 1, '\u{1f600}': 2, '\u20ac': 3, '\u00f6': 4 },
      '{"\u00f6":4,"\u20ac":3,"\u{1f600}":2,"\ufb33":1}',
    ],
    ['sorts at every depth and keeps the order of arrays', [{ b: [2, 1], a: {} }], '[{"a":{},"b":[2,1]}]'],
    [
      'escapes only what JSON demands',
      '\u0000\b\t\n\f\r"\\/\u007f\u20ac',
      '"\\u0000\\b\\t\\n\\f\\r\\"\\\\/\u007f\u20ac"',
    ],
    ['keeps characters beyond the first plane', '\u{1f600}', '"\u{1f600}"'],
    ['writes what is empty', { a: [], b: {}, c: '' }, '{"a":[],"b":{},"c":""}'],
  ])('%s', (_name, value, text) => {
    expect(canonicalReceipt(value)).toBe(text);
    expect(canonicalReceipt(JSON.parse(text))).toBe(text);
  });

  it.each([
    ['a fraction', 0.5, 'no number such as 0.5'],
    ['an integer that is not safe', 2 ** 53, 'no number such as 9007199254740992'],
    ['NaN', Number.NaN, 'no number such as NaN'],
    ['an infinite number', Number.POSITIVE_INFINITY, 'no number such as Infinity'],
    ['an absent value', { a: undefined }, 'no undefined'],
    ['a hole', [undefined], 'no undefined'],
    ['a bigint', 1n, 'no bigint'],
    ['half a surrogate pair', '\ud83d', 'no half of a surrogate pair'],
    ['half a surrogate pair in a name', { '\ude00': 1 }, 'no half of a surrogate pair'],
    ['a function', () => 1, 'no function'],
  ])('refuses %s', (_name, value, why) => {
    expect(() => canonicalReceipt(value)).toThrow(new TypeError(`a receipt holds ${why}`));
  });

  it('is what the fingerprints of requests are computed from, wherever both take a value', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false),
        fc.maxSafeInteger(),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value')),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(fc.property(value, (one) => canonicalReceipt(one) === canonicalJson(one)));
  });
});
