import { describe, expect, test } from '@jest/globals';
import { nameInput } from './names.js';

const read = (text: string): string | null => {
  const { success, data } = nameInput({ max: 20 }).safeParse(text);
  return success ? (data as string) : null;
};

describe('names (docs/domain/sign-in.md#sign-up)', () => {
  test.each([
    ['a plain name', 'Acme', 'Acme'],
    ['spaces around and between', '  Acme   GmbH ', 'Acme GmbH'],
    ['compatibility forms', 'Ａｃｍｅ ﬁ', 'Acme fi'],
    ['letters with marks', 'Société Générale', 'Société Générale'],
    ['a decomposed letter', 'Cafe\u0301', 'Café'],
    ['Cyrillic alone', 'Яндекс', 'Яндекс'],
    ['two alphabets in two words', 'Яндекс Yandex', 'Яндекс Yandex'],
    ['Latin with Han', 'Sony株式会社', 'Sony株式会社'],
    ['digits and signs', '1&1 #7', '1&1 #7'],
    ['20 characters', 'a'.repeat(20), 'a'.repeat(20)],
  ])('%s is taken', (_name, text, name) => {
    expect(read(text)).toBe(name);
  });

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['signs alone', '!!!'],
    ['a Cyrillic letter in a Latin word', 'Аpple'],
    ['a Greek letter in a Latin word', 'Gοogle'],
    ['an Armenian letter in a Latin word', 'Ahօld'],
    ['a Carian letter in a Latin word', 'Sh\u{102A0}pe'],
    ['a phonetic letter', 'ɡoogle'],
    ['a form of a letter that has one form', 'Ac\uFE0Fme'],
    ['a direction override', 'Acme\u202Eexe'],
    ['a direction isolate', 'Acme\u2066x'],
    ['a zero-width space', 'Ac\u200Bme'],
    ['a blank letter', 'Ac\u3164me'],
    ['a soft hyphen', 'Ac\u00ADme'],
    ['a line break', 'Acme\r\nBcc: x'],
    ['a line separator', 'Acme\u2028x'],
    ['a null', 'Acme\0'],
    ['a lone surrogate', 'Acme\uD800'],
    ['a private character', 'Acme\uE000'],
    ['a tower of marks', 'Z\u0335\u0336\u0337\u0338lgo'],
    ['21 characters', 'a'.repeat(21)],
  ])('%s is refused', (_name, text) => {
    expect(read(text)).toBeNull();
  });
});
