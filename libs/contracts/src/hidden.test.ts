import { describe, expect, test } from '@jest/globals';
import { hiddenIn } from './hidden.js';

describe('hidden characters', () => {
  test.each([
    ['letters with marks', 'Société Générale, Åbo'],
    ['a decomposed letter', 'Cafe\u0301'],
    ['other scripts', 'Яндекс 株式会社 شركة हिन्दी'],
    ['a hard space and signs', 'Acme\u00A0& Co. №\u00A07, 1/2'],
    ['an emoji in two code units', '😀'],
    ['an emoji and a Japanese letter with their forms', '❤️ 葛\u{E0100}飾'],
  ])('%s are none', (_name, text) => {
    expect(hiddenIn(text)).toBeNull();
  });

  test.each([
    ['a direction override', 'Acme\u202Eexe', 'U+202E'],
    ['a direction isolate', 'Acme\u2066x', 'U+2066'],
    ['a direction mark', 'Acme\u200F', 'U+200F'],
    ['a zero-width space', 'Ac\u200Bme', 'U+200B'],
    ['a zero-width joiner', 'Ac\u200Dme', 'U+200D'],
    ['a byte-order mark', 'Ac\uFEFFme', 'U+FEFF'],
    ['a soft hyphen', 'Ac\u00ADme', 'U+00AD'],
    ['a blank letter', 'Ac\u3164me', 'U+3164'],
    ['a line separator', 'Acme\u2028x', 'U+2028'],
    ['a line break', 'Acme\nx', 'U+000A'],
    ['a null', 'Acme\0', 'U+0000'],
    ['a control of the second range', 'Acme\u0085', 'U+0085'],
    ['half a character', 'Acme\uD800', 'U+D800'],
    ['a private character', 'Acme\uE000', 'U+E000'],
    ['a tag', 'Acme\u{E0041}', 'U+E0041'],
    ['a form of a letter that has one form', 'Ac\uFE0Fme', 'U+FE0F'],
    ['a form of a letter beyond the first plane', 'Ac\u{E0121}me', 'U+E0121'],
    ['a blank note', 'Ac\u{1D159}me', 'U+1D159'],
    ['the first of two', 'A\u200B\u202E', 'U+200B'],
  ])('%s is named', (_name, text, found) => {
    expect(hiddenIn(text)).toBe(found);
  });
});
