/** Step 1 of resolving a text (domain 1-network 6.2); audiences, aliases, posts and bios are normalised alike. */

const singular = (word: string): string => {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('ss') || word.endsWith('us') || word.endsWith('is') ? word : word.slice(0, -1);
};

/** The words of a text: NFKC, lower case, letters, digits, + and # alone, without plural endings. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '')
    .map(singular);
