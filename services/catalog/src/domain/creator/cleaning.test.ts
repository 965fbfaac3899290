import { describe, expect, it } from '@jest/globals';
import { atMost, cleanerFor, positioningOf } from './cleaning.js';

const clean = cleanerFor('demo_ada');

describe('cleaning third-party text', () => {
  it.each([
    ['a mention', 'Thanks @someone for this', 'Thanks for this'],
    ['a full-width mention', 'Thanks ＠someone for this', 'Thanks for this'],
    ['the own handle', 'I am Demo_Ada on every network', 'I am on every network'],
    ['the own handle inside another word', 'demo_adamant stays', 'demo_adamant stays'],
    ['a link', 'Read https://example.com/a?b=1 now', 'Read now'],
    ['a bare domain', 'Read example.com/post, it is good', 'Read it is good'],
    ['what turns text around', 'a\u2066b\u2069 c\u061Cd\u202Ee', 'ab cde'],
    ['what shows nothing', 'a\u0007b\u001B[31m c\u{E0041}d\u200Be', 'ab[31m cde'],
    ['no joiner of letters that join', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['no joiner of an emoji', '👩\u200D🚀', '👩\u200D🚀'],
    ['plain text', 'Nothing to take out. Really!', 'Nothing to take out. Really!'],
    ['no space that stood before a mark', 'Bonjour ! Ça va : oui', 'Bonjour ! Ça va : oui'],
    ['the space before a mark with what it takes out', 'Thanks @a @b, and https://x.com/a !', 'Thanks, and!'],
    ['a version number', 'Released 2.0 today', 'Released 2.0 today'],
  ])('removes %s', (_name, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });
});

describe('a handle', () => {
  it('is taken literally, whatever it is made of', () => {
    expect(cleanerFor('a|b')('x a y b z')).toBe('x a y b z');
    expect(cleanerFor('a|b')('x a|b z')).toBe('x z');
    expect(cleanerFor('[a', '$&', 'a+')('x [a y $& z a+')).toBe('x y z');
  });
});

describe('a text of any length', () => {
  it('is read up to 4,000 characters without splitting one', () => {
    expect(clean('x'.repeat(5_000))).toHaveLength(4_000);
    expect([...clean('😀'.repeat(5_000))]).toHaveLength(4_000);
    expect(clean('😀'.repeat(5_000)).isWellFormed()).toBe(true);
  });

  it.each(['a-', 'a.', 'x', 'a+', 'http:/', 'a.b/', '@a', 'a@'])('of repeated %p is cleaned quickly', (part) => {
    const began = performance.now();
    for (let times = 0; times < 20; times += 1) clean(part.repeat(500_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('the positioning line', () => {
  it.each([
    ['no bio', null, null],
    ['a first sentence', 'I build things. And more.', 'I build things.'],
    ['a first line', 'I build things\nAnd more.', 'I build things'],
    ['a long line, cut at a word', 'one two three four', 'one two'],
    ['a long line whose word ends at the cut', 'abcde fghi jkl', 'abcde fghi'],
    ['a long word', 'abcdefghijklmnop', 'abcdefghij'],
  ])('of %s', (_name, bio, line) => {
    expect(positioningOf(bio, bio?.startsWith('I') === true ? 120 : 10)).toBe(line);
  });

  it('counts code points', () => {
    expect(atMost('🙂🙂🙂', 2)).toBe('🙂🙂');
  });
});
