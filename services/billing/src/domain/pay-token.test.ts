import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formTokenOf, isFormToken, openLinks, openToken, payTokenOf, sealToken } from './pay-token.js';

const key = Buffer.alloc(32, 1);
const iv = Buffer.alloc(12, 2);

describe('the token of a payment link (3-orders 6.3)', () => {
  it('is 43 characters of base62 for any 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(payTokenOf(bytes)).toMatch(/^[0-9A-Za-z]{43}$/);
      }),
    );
    expect(payTokenOf(new Uint8Array(32))).toBe('0'.repeat(43));
  });

  it('is read back from its seal under the same key alone', () => {
    const token = payTokenOf(Buffer.alloc(32, 3));
    const sealed = sealToken(key, token, iv);
    expect(sealed).not.toContain(token);
    expect(openToken(key, sealed)).toBe(token);
    expect(() => openToken(Buffer.alloc(32, 9), sealed)).toThrow();
    expect(() => openToken(key, `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`)).toThrow();
  });

  it('stands readable in every link of an answer', () => {
    const token = payTokenOf(Buffer.alloc(32, 4));
    const sealed = sealToken(key, token, iv);
    const json = JSON.stringify({ url: `https://a.example/pay/${sealed}`, again: [`https://a.example/pay/${sealed}`] });
    expect(openLinks(key, json)).toBe(
      JSON.stringify({ url: `https://a.example/pay/${token}`, again: [`https://a.example/pay/${token}`] }),
    );
  });

  it("is proved by the page's own form token alone", () => {
    expect(isFormToken(key, 'a', formTokenOf(key, 'a'))).toBe(true);
    expect(isFormToken(key, 'a', formTokenOf(key, 'b'))).toBe(false);
    expect(isFormToken(key, 'a', '')).toBe(false);
  });
});
