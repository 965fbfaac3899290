/** Where identity text hides in other text: mentions and links, and the words that they name (reliability 3.9). */

/** What any of the forms needs; a text without one of these holds none, which is nearly every text. */
const SUSPECT = /[@\uFF20\uFE6B/]|%40/u;
/** Characters that show nothing and would split a form in two. */
const INVISIBLE =
  /(?!\s)\p{Cc}|\u034F|[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;
const MENTION = /(?:@|%40)\s?\W?(\w+)/gu;
const LINK = /(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?((?:[a-z0-9_-]{1,63}\.){1,30}[a-z]{2,24})(?::\d{1,5})?\/([^\s"<>\\]*)/giu;
const SCHEME = /[a-z][a-z0-9+.-]{0,20}:\/\/([^\s"<>\\/]+)/giu;

/** The labels of a host that can name someone: those in front of the registered name. */
const labelsOf = (host: string): string[] => host.split('.').slice(0, -2);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The words that stand as a mention or in a link of a text, in lower case: what a handle would be found among. Full-width
 * and invisible characters hide nothing. Costs one scan of a text that holds neither.
 */
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

/** The shortest part of a handle that a free text is compared with (domain 1-network 9). */
const HANDLE_PART_MIN = 3;

/** What a free text asks of handles: itself without a leading @, in lower case; null when no handle can hold it. */
export const handlePartOf = (q: string): string | null => {
  const part = q
    .trim()
    .replace(/^[@\uFF20]/u, '')
    .toLowerCase();
  return part.length >= HANDLE_PART_MIN && /^[a-z0-9_]{1,15}$/.test(part) ? part : null;
};
