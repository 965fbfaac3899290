/** How searches are read: the words of a text as people mean them, whatever their marks and case. */

/** Letters whose marks Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th' },
};

/** A text for comparing: without case and diacritics, in compatible forms. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđħŧıæœðþ]/g, (letter) => PLAIN[letter] ?? letter);

/** The terms of a free text, each once; all of them must be found. */
export const termsOf = (q: string): string[] => {
  const terms = folded(q)
    .split(/\s+/u)
    .filter((term) => term !== '');
  return terms.length === 0 ? [q] : [...new Set(terms)];
};

/** With fewer characters, a word of a handle says nothing that its guesser did not know. */
const HANDLE_WORD_LEAST = 4;

/** What a handle is found by: the whole of it, or one of its words of at least four characters. */
export const wordsOfHandle = (handle: string): string[] => {
  const whole = handle.toLowerCase();
  const words = whole.match(/[a-z]+|\d+/g) ?? [];
  return [...new Set([whole, ...words.filter(({ length }) => length >= HANDLE_WORD_LEAST)])];
};

/** What a term searches for among the words of handles, without a leading @; null when none can be it. */
export const handleWordOf = (term: string): string | null => {
  const word = term.replace(/^@/, '');
  return word.length >= 3 && /^[a-z0-9_]{1,15}$/.test(word) ? word : null;
};
