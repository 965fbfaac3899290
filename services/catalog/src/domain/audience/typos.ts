/** Forgives one wrong, missing, added or swapped letter (docs/domain/network.md#audience-text, step 2). */

import { singular } from './normalise.js';
import { LOOKALIKES } from './phrases.js';

const LEAST_LETTERS = 6;

const isLong = (word: string): boolean => word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word);

const shortened = (word: string): string[] => [...word].map((_letter, at) => word.slice(0, at) + word.slice(at + 1));

const isOneEditApart = (one: string, other: string): boolean => {
  if (one.length !== other.length) {
    const [short, long] = one.length < other.length ? [one, other] : [other, one];
    return shortened(long).includes(short);
  }
  const places = [...one].flatMap((letter, at) => (letter === other[at] ? [] : [at]));
  const [first = 0, second = 0] = places;
  return (
    places.length === 1 ||
    (places.length === 2 && second === first + 1 && one[first] === other[second] && one[second] === other[first])
  );
};

export class Spelling {
  private readonly known: ReadonlySet<string>;
  private readonly byShortened = new Map<string, string[]>();

  constructor(words: readonly string[]) {
    this.known = new Set(words.map(singular));
    for (const word of new Set(words.filter(isLong).map(singular)))
      for (const key of [word, ...shortened(word)])
        this.byShortened.set(key, [...(this.byShortened.get(key) ?? []), word]);
  }

  corrected(written: string): string {
    const word = singular(written);
    if (!isLong(written) || this.known.has(word) || LOOKALIKES.has(word)) return word;
    const near = new Set([word, ...shortened(word)].flatMap((key) => this.byShortened.get(key) ?? []));
    // Hardly anybody mistypes the first letter, and other words differ there: a bounder is no founder.
    const meant = [...near].filter((known) => known[0] === word[0] && isOneEditApart(known, word));
    return meant.length === 1 ? (meant[0] ?? word) : word;
  }
}
