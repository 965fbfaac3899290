import { describe, expect, it } from '@jest/globals';
import { isToBeRead, paidPercentOf, UNSAFE_TERMS, undisclosedAmong } from './content-checks.js';

describe('an undisclosed paid post', () => {
  it.each<[string, boolean, number]>([
    ['Partnered with @acme on this one', false, 1],
    ['Teamed up with @acme', false, 1],
    ['Use my code ADA20 for a discount', false, 1],
    ['Get it with promo code SAVE10', false, 1],
    ['My affiliate link is below', false, 1],
    ['Gifted by @acme', false, 1],
    ['Partnered with @acme on this one #ad', false, 0],
    ['Use my code ADA20 #sponsored', false, 0],
    ['Partnered with @acme on this one', true, 0],
    ['A plain post with no mark at all', false, 0],
    ['I like what @acme builds', false, 0],
    ['Write the tests with code review in mind', false, 0],
    ['A paper in collaboration with the university', false, 0],
  ])('%p, marked %p, counts %p', (text, paid_partnership, count) => {
    expect(undisclosedAmong([{ text, paid_partnership }])).toBe(count);
  });
});

describe('the share of paid posts', () => {
  const posts = (...texts: string[]) => texts.map((text) => ({ text, paid_partnership: text === 'marked' }));
  it.each<[string, string[], number]>([
    ['none', ['A plain day.'], 0],
    ['the network’s mark', ['marked', 'A plain day.'], 50],
    ['a tag', ['Nice. #ad', 'A #sponsored day', 'A plain day.', 'An #adventure'], 50],
    ['the words of a partnership', ['Paid partnership with Acme', 'A plain day.'], 50],
    ['what only reads as paid', ['Partnered with @acme on this.', 'A plain day.'], 50],
    ['no post at all', [], 0],
  ])('counts %s', (_name, texts, percent) => {
    expect(paidPercentOf(posts(...texts))).toBe(percent);
  });
});

describe('content for human review', () => {
  it.each<[string, boolean]>([
    ['A GHOST gun, printed at home', true],
    ['Ghost guns!', true],
    ['ghost, gun', true],
    ['ｎｓｆｗ', true],
    ['a ghоst gun', true],
    ['n.s.f.w', true],
    ['free sp1ns tonight', true],
    ['Мой кот и ВТС', false],
    ['Nothing but a ghost story', false],
    ['the popcorn was good', false],
    ['', false],
  ])('%p: %p', (text, found) => {
    expect(isToBeRead(['A plain day.', text])).toBe(found);
  });

  it.each(Object.values(UNSAFE_TERMS.terms).flat())('is found by %p', (term) => {
    expect(isToBeRead([term])).toBe(true);
  });
});
