import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { seal, unseal } from './seal.js';

const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const OLD = { 1: key(1) };
const BOTH = { 1: key(1), 2: key(2) };

describe('secrets at rest', () => {
  test('a sealed secret opens at its place, and is sealed differently each time', () => {
    const sealed = seal(OLD, 'a', 'secret');
    expect(sealed).not.toContain('secret');
    expect(seal(OLD, 'a', 'secret')).not.toBe(sealed);
    expect(unseal(OLD, 'a', sealed)).toBe('secret');
  });

  test('the newest key seals, and every one opens what it sealed', () => {
    expect(seal(BOTH, 'a', 'secret')).toMatch(/^2\./);
    expect(unseal(BOTH, 'a', seal(OLD, 'a', 'secret'))).toBe('secret');
    expect(() => unseal(OLD, 'a', seal(BOTH, 'a', 'secret'))).toThrow('CDS_SEAL_KEYS, which has 1');
  });

  test('a sealed secret opens at no other place, and not when a byte of it was changed', () => {
    const sealed = seal(OLD, 'messages/1/link', 'secret');
    expect(() => unseal(OLD, 'messages/2/link', sealed)).toThrow();
    for (let at = 2; at < sealed.length - 1; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(() => unseal(OLD, 'messages/1/link', changed)).toThrow();
    }
  });
});
