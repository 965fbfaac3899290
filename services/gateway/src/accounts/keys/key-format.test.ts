import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newKey, possibleSecrets, readKey, storedSecret } from './key-format.js';

const PUBLISHED = /^cds_[a-z]{3,4}_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/;

describe('the form of an API key (docs/domain/access.md#keys)', () => {
  test.each([
    ['live', false],
    ['test', true],
  ])('a new %s key has the published form and reads back as itself', (kind, sandbox) => {
    const key = newKey(sandbox);
    expect(key.text).toMatch(PUBLISHED);
    expect(key.text.startsWith(`cds_${kind}_`)).toBe(true);
    expect(readKey(key.text)).toEqual({ publicId: key.publicId, secret: key.secret, sandbox });
  });

  test('any single wrong character is refused by form or checksum, without a read', () => {
    const { text } = newKey(false);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ_'), (at, letter) => {
        fc.pre(text[at] !== letter);
        expect(readKey(text.slice(0, at) + letter + text.slice(at + 1))).toBeNull();
      }),
    );
  });

  test.each([
    '',
    'cds_live_',
    'cds_ops_123456789012_0',
    `${newKey(false).text}0`,
    ` ${newKey(false).text}`,
    newKey(false).text.toLowerCase(),
  ])('another text is not a key: %s', (text) => {
    expect(readKey(text)).toBeNull();
  });

  test('a secret is stored under the newest pepper and verified under every one', () => {
    const [old, young] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))];
    expect(storedSecret({ 2: old, 10: young }, 's')).toMatch(/^10:/);
    expect(possibleSecrets({ 2: old, 10: young }, 's')).toContain(storedSecret({ 2: old }, 's'));
  });
});
