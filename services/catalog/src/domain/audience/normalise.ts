/**
 * Normalises text, step 2 of resolving it (docs/domain/network.md#audience-text). Audiences, aliases, posts and bios
 * are treated in the same way.
 */

/** A word of four letters or more without its plural ending. */
export const singular = (word: string): string => {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('ss') || word.endsWith('us') || word.endsWith('is') ? word : word.slice(0, -1);
};

/** The words of a text as they are written: NFKC, lower case, only letters, digits, + and #. */
export const writtenWordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '');

/** The words of a text without plural endings. */
export const wordsOf = (text: string): string[] => writtenWordsOf(text).map(singular);
