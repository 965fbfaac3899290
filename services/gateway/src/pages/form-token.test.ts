import { describe, expect, test } from '@jest/globals';
import { FormTokens } from './form-token.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const tokens = new FormTokens('secret of the tests');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

describe('the token of a form (docs/domain/pages.md#forms-of-pages)', () => {
  const token = tokens.make('visitor', 'keys/new', NOW);

  test('is accepted from its visitor for its form, and always stands for the same Idempotency-Key', () => {
    const key = tokens.keyOf(token, 'visitor', 'keys/new', NOW);
    expect(key).toMatch(/^form:[A-Za-z0-9_-]{22}$/);
    expect(tokens.keyOf(token, 'visitor', 'keys/new', later(3_600))).toBe(key);
  });

  test('two tokens of one form are two keys', () => {
    const other = tokens.make('visitor', 'keys/new', NOW);
    expect(tokens.keyOf(other, 'visitor', 'keys/new', NOW)).not.toBe(tokens.keyOf(token, 'visitor', 'keys/new', NOW));
  });

  test.each([
    ['another visitor', token, 'stranger', 'keys/new', NOW],
    ['another form', token, 'visitor', 'keys/revoke', NOW],
    ['twelve hours later', token, 'visitor', 'keys/new', later(12 * 3_600 + 1)],
    ['before it was made', token, 'visitor', 'keys/new', later(-61)],
    ['an empty token', '', 'visitor', 'keys/new', NOW],
    ['a token with another time', token.replace(/^[^.]+/, 'zzzzzz'), 'visitor', 'keys/new', NOW],
    ['a token of another secret', new FormTokens('x').make('visitor', 'keys/new', NOW), 'visitor', 'keys/new', NOW],
    ['a longer token', `${token}A`, 'visitor', 'keys/new', NOW],
  ])('%s is refused', (_name, sent, visitor, form, now) => {
    expect(tokens.keyOf(sent, visitor, form, now)).toBeNull();
  });

  test('every character of it matters', () => {
    const accepted = [...token].flatMap((character, at) => {
      const changed = `${token.slice(0, at)}${character === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
      return tokens.keyOf(changed, 'visitor', 'keys/new', NOW) === null ? [] : [changed];
    });
    // The last character of a MAC of 32 bytes carries four bits only; it is compared as text all the same.
    expect(accepted).toEqual([]);
  });
});
