/** Finds the words in a text that could identify someone: those in mentions and links (docs/reliability.md#handles). */

/** Every form contains one of these, and nearly every text contains none. */
const SUSPECT = /[@\uFF20\uFE6B/]|%40/u;
const INVISIBLE =
  /(?!\s)\p{Cc}|\u034F|[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;
const MENTION = /(?:@|%40)\s?\W?(\w+)/gu;
const LINK = /(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?((?:[a-z0-9_-]{1,63}\.){1,30}[a-z]{2,24})(?::\d{1,5})?\/([^\s"<>\\]*)/giu;
const SCHEME = /[a-z][a-z0-9+.-]{0,20}:\/\/([^\s"<>\\/]+)/giu;

const labelsOf = (host: string): string[] => host.split('.').slice(0, -2);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The lower-case words of every mention and link, any of which may be a handle, however it hides. */
export const wordsInIdentityForms = (text: string): string[] => {
  if (!SUSPECT.test(text)) return [];
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  const words: string[] = [];
  for (const [, word = ''] of plain.matchAll(MENTION)) words.push(word);
  for (const [, host = ''] of plain.matchAll(SCHEME)) words.push(...labelsOf(host));
  for (const [, host = '', path = ''] of plain.matchAll(LINK))
    words.push(...labelsOf(host), ...decoded(path).split(/\W+/u));
  return words.filter((word) => word !== '').map((word) => word.toLowerCase());
};
