import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type LinkKeys, linkTokenOf, readLinkToken } from './creator-link.js';

const key = (fill: number) => createSecretKey(Buffer.alloc(32, fill));
const OLD: LinkKeys = { 1: key(1) };
const BETWEEN: LinkKeys = { 1: key(1), '2-next': key(2) };
const USED: LinkKeys = { 1: key(1), 2: key(2) };
const NEW: LinkKeys = { 2: key(2) };
const OF = { id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b', number: 3 };

/** docs/domain/pages.md#creator-links. */
describe("the token of a creator's link", () => {
  test('names its proposal and number, and always is the same', () => {
    const token = linkTokenOf(OLD, OF);
    expect(token).toMatch(/^cdl_0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b_3_[A-Za-z0-9_-]{43}$/);
    expect(linkTokenOf(OLD, OF)).toBe(token);
    expect(readLinkToken(OLD, token)).toEqual(OF);
  });

  test.each<[made: string, by: LinkKeys, readBy: LinkKeys, known: boolean]>([
    ['under the only key', OLD, OLD, true],
    ['under the old key, with the next one known', OLD, BETWEEN, true],
    ['by a replica that knows the next key and uses the old one', BETWEEN, OLD, true],
    ['under the new key, at a replica that does not use it yet', USED, BETWEEN, true],
    ['under the old key, after the new one came into use', OLD, USED, true],
    ['under the old key, after it is gone', OLD, NEW, false],
    ['under the new key, with the old one gone', USED, NEW, true],
    ['under a key that this service never had', { 9: key(9) }, USED, false],
  ])('made %s', (_name, by, readBy, known) => {
    expect(readLinkToken(readBy, linkTokenOf(by, OF))).toEqual(known ? OF : null);
  });

  test.each([1, 10, 999_999])('reads the number %i', (number) => {
    expect(readLinkToken(OLD, linkTokenOf(OLD, { ...OF, number }))).toEqual({ ...OF, number });
  });

  test('is made by no ring without keys', () => {
    expect(() => linkTokenOf({}, OF)).toThrow('no key is in use');
  });

  const token = linkTokenOf(OLD, OF);
  test.each([
    ['another number', token.replace('_3_', '_4_')],
    ['a number written otherwise', token.replace('_3_', '_03_')],
    ['another proposal', token.replace('0b6c', '0b6d')],
    ['capital letters in its id', token.replace('0b6c', '0B6C')],
    ['another last character', token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')],
    ['a character before it', `x${token}`],
    ['a character too many', `${token}A`],
    ['no mac', token.slice(0, -44)],
    ['nothing at all', ''],
  ])('with %s opens nothing', (_name, changed) => {
    expect(readLinkToken(OLD, changed)).toBeNull();
  });
});
