import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canOpen,
  formTokenOf,
  isFormToken,
  openToken,
  type PayKeys,
  payTokenHash,
  payTokenOf,
  sealToken,
} from './pay-token.js';

const aKey = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const keys: PayKeys = { 1: aKey(1) };
const iv = Buffer.alloc(12, 2);
const token = payTokenOf(Buffer.alloc(32, 3));

describe('the token of a payment link (docs/domain/orders.md#payment-link)', () => {
  it('is 43 characters of base62 for any 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(payTokenOf(bytes)).toMatch(/^[0-9A-Za-z]{43}$/);
      }),
    );
    expect(payTokenOf(new Uint8Array(32))).toBe('0'.repeat(43));
    expect(payTokenOf(Uint8Array.from({ length: 32 }, (_none, n) => (n === 31 ? 62 : 0)))).toBe(`${'0'.repeat(41)}10`);
  });

  it('opens only under the key that sealed it', () => {
    const sealed = sealToken(keys, token, iv);
    expect(sealed).not.toContain(token);
    expect(openToken(keys, sealed)).toBe(token);
    expect(() => openToken({ 1: aKey(9) }, sealed)).toThrow();
    expect(() => openToken(keys, `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`)).toThrow();
  });

  it('is sealed by the newest key and opened by the one that sealed it, across any number of rotations', () => {
    const turned: PayKeys = { ...keys, 2: aKey(2), 10: aKey(10) };
    const [old, fresh] = [sealToken(keys, token, iv), sealToken(turned, token, iv)];
    expect([old.slice(0, 3), fresh.slice(0, 4)]).toEqual(['~1.', '~10.']);
    const opened = (sealed: string) => {
      try {
        return openToken(turned, sealed);
      } catch (error) {
        return String(error);
      }
    };
    expect([opened(old), opened(fresh)]).toEqual([token, token]);
    expect(() => openToken({ 1: aKey(1), 2: aKey(2) }, fresh)).toThrow(
      'pay token key version 10 is missing: put it back into CDS_PAY_TOKEN_KEYS, which has 1, 2',
    );
    expect(openToken(turned, old.replace('1.', ''))).toBe(token);
  });

  it('can be opened while the key that sealed it is there', () => {
    const sealed = sealToken({ ...keys, 2: aKey(2) }, token, iv);
    expect([canOpen({ 2: aKey(2) }, sealed), canOpen(keys, sealed)]).toEqual([true, false]);
  });

  it('is looked up by its SHA-256', () => {
    expect(payTokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it("accepts only the page's own form token", () => {
    const form = aKey(4);
    expect(isFormToken(form, 'a', formTokenOf(form, 'a'))).toBe(true);
    expect(isFormToken(form, 'a', formTokenOf(form, 'b'))).toBe(false);
    expect(isFormToken(form, 'a', formTokenOf(aKey(1), 'a'))).toBe(false);
    expect(isFormToken(form, 'a', '')).toBe(false);
    expect(formTokenOf(form, 'a')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
