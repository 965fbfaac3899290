import { canonicalJson } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalReceipt } from './canonical-json.js';

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
