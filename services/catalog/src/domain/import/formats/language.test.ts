import { describe, expect, it } from '@jest/globals';
import { languageOfCode } from './language.js';

describe('the name of a language', () => {
  it.each<[string, string | null]>([
    ['de', 'German'],
    ['pt-BR', 'Portuguese'],
    ['zh-Hant-TW', 'Chinese'],
    ['in', 'Indonesian'],
    ['iw', 'Hebrew'],
    ['German', null],
    ['Lao', null],
    ['xx', null],
    ['', null],
  ])('of %s is %s', (code, name) => {
    expect(languageOfCode(code)).toBe(name);
  });
});
