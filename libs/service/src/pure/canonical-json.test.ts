import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('canonical JSON (RFC 8785)', () => {
  it.each([
    [
      'sorts names by their UTF-16 units',
      { '\u20ac': 1, '\r': 2, '1': 3, '\u0080': 4, '\u00f6': 5 },
      '{"\\r":2,"1":3,"\u0080":4,"\u00f6":5,"\u20ac":1}',
    ],
    [
      'writes numbers as ECMAScript does',
      [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
    ],
    ['keeps literals', [null, true, false], '[null,true,false]'],
  ])('%s', (_name, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('drops absent fields, so that omitted and undefined arguments are equal', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });
});
