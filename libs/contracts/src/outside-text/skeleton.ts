/** What a text from outside looks like to a reader (docs/domain/network.md#skeleton). */
import table from './confusables.json' with { type: 'json' };

/** Characters with the ASCII letters or digits that they look like (UTS 39, confusables.txt), in lower case. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(table.lookalikes).flatMap(([plain, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), plain.toLowerCase()] as const),
  ),
);

/** Where alphabets of enclosed letters begin that Unicode does not decompose: 🅐, 🅰 and the letters of flags. */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6];

/** Digits and signs that stand for a letter; i and l are one letter, because 1, I and | may be either. */
const SWAPS: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'l', 2: 'z', 3: 'e', 4: 'a', 5: 's', 6: 'g', 7: 't', 8: 'b', 9: 'g' },
  ...{ '@': 'a', $: 's', '!': 'l', '|': 'l', '€': 'e', i: 'l' },
};

/** Letters and spaces that show nothing; here they separate as other invisible characters do. */
const BLANK = /[\u115F\u1160\u2800\u3164\uFEFF\uFFA0]/gu;
const LETTER = '[\\p{L}\\p{N}\\u212E\\u{1F150}-\\u{1F169}\\u{1F170}-\\u{1F189}\\u{1F1E6}-\\u{1F1FF}]';
/** Letters, with stars between them; a sign that stands for a letter; or a space. All else separates. */
const PIECE = new RegExp(`(${LETTER}+(?:\\*+${LETTER}+)*)|([@$!|€])|\\s+`, 'gu');

/** Letters in one row. `read` is what they look like, with a star for what may be any letter. */
type Piece = {
  written: string;
  read: string;
  /** No space stands before it. */
  tight: boolean;
  /** Of the plain alphabet, or of another. */
  latin: boolean;
  foreign: boolean;
  /** Holds digits or signs that stand for letters. */
  swapped: boolean;
  stars: number;
};

const foldKey = (word: string): string => word.replaceAll('i', 'l');

const enclosed = (character: string): string | null => {
  const code = character.codePointAt(0) ?? 0;
  const start = ENCLOSED.find((first) => code >= first && code < first + 26);
  return start === undefined ? null : String.fromCharCode(97 + code - start);
};

/** What a character of another alphabet reads as: letters, or a star where nothing is known. */
const looksLike = (character: string): string => LOOKALIKES.get(character) ?? enclosed(character) ?? '*';

const pieceOf = (found: string, tight: boolean): Piece => {
  const lower = found.toLowerCase();
  if (/^[a-z]+$/.test(lower))
    return { written: lower, read: foldKey(lower), tight, latin: true, foreign: false, swapped: false, stars: 0 };
  const piece = { written: lower, read: '', tight, latin: false, foreign: false, swapped: false, stars: 0 };
  for (const character of found) {
    const isForeign = character > '\x7F';
    const plain = isForeign ? looksLike(character) : character.toLowerCase();
    const swap = SWAPS[plain];
    piece.read += swap ?? plain;
    piece.foreign ||= isForeign;
    piece.latin ||= !isForeign && plain >= 'a' && plain <= 'z';
    piece.swapped ||= swap !== undefined && plain !== 'i';
    if (plain === '*') piece.stars += 1;
  }
  if (piece.foreign || piece.stars > 0) piece.written = lower.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return piece;
};

const piecesOf = (text: string): Piece[] => {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(BLANK, '\u200B');
  const pieces: Piece[] = [];
  let tight = false;
  for (const [found, letters, sign] of bare.matchAll(PIECE)) {
    const isSpace = letters === undefined && sign === undefined;
    if (!isSpace) pieces.push(sign === undefined ? pieceOf(found, tight) : { ...pieceOf(found, tight), written: '' });
    tight = !isSpace;
  }
  return pieces;
};

/** Whether a word with stars can be the other. */
const fits = (read: string, key: string): boolean => {
  for (let at = 0; at < key.length; at += 1) if (read[at] !== '*' && read[at] !== key[at]) return false;
  return true;
};

/** The least letters of a word that is read in one piece: the stranger its letters, the fewer. */
const leastOf = ({ foreign, latin, swapped, stars }: Piece): number => {
  if (foreign) return latin ? 3 : 4;
  return swapped || stars > 0 ? 4 : 5;
};

/** Whether each piece is a word of a phrase. */
const areItsWords = (pieces: readonly Piece[], phrase: string): boolean => {
  const words = phrase.split(' ');
  return words.length === pieces.length && words.every((word, at) => word.length === pieces[at]?.read.length);
};

/** The least letters of a word that is read across pieces. */
const leastAcross = (pieces: readonly Piece[], word: string): number => {
  if (pieces.every(({ read }) => read.length === 1)) return 3;
  if (pieces.slice(1).every(({ tight }) => tight)) return 4;
  if (areItsWords(pieces, word)) return 5;
  // "5 takes" and "brand Y" are what they say.
  const isPlain = pieces.some(({ swapped }) => swapped) || (pieces.length === 2 && pieces[1]?.read.length === 1);
  return isPlain ? Number.POSITIVE_INFINITY : 6;
};

/** A listed word that takes several pieces. */
type Found = { word: string; count: number };

/**
 * Makes a reader that knows listed phrases, of the letters a to z. It answers a text's words in lower case without
 * accents, and writes a listed phrase plainly wherever the text only looks like it.
 */
export const skeletonReader = (phrases: Iterable<string>): ((text: string) => string) => {
  const listed = new Map<string, string>();
  for (const phrase of phrases)
    if (/^[a-z ]+$/.test(phrase))
      for (const word of [phrase, ...phrase.split(' ')]) {
        const key = foldKey(word.replaceAll(' ', ''));
        if (key.length > 2) listed.set(key, listed.get(key) ?? word);
      }
  const keys = [...listed.keys()];
  const beginnings = new Set(keys.flatMap((key) => Array.from(key, (_, at) => key.slice(0, at + 1))));
  const byLength = Map.groupBy(keys, ({ length }) => length);

  const withStars = ({ read, latin, stars }: Piece): string | undefined => {
    if (stars === 0) return undefined;
    const isClear = latin ? stars <= 2 && read.length - stars >= 3 : stars === 1 && read.length >= 6;
    const key = isClear ? byLength.get(read.length)?.find((one) => fits(read, one)) : undefined;
    return listed.get(key ?? read.replaceAll('*', ''));
  };

  const inOne = (piece: Piece): string | null => {
    const { read, latin, foreign } = piece;
    if (read.length < leastOf(piece) || !(latin || foreign)) return null;
    return listed.get(read) ?? withStars(piece) ?? listed.get(read.replaceAll('rn', 'm').replaceAll('vv', 'w')) ?? null;
  };

  /** The longest listed word that begins with a piece and ends with a later one, and how many pieces it takes. */
  const across = (pieces: readonly Piece[], from: number, passesSigns: boolean): Found | null => {
    // A sign that is passed over begins nothing; a text of signs alone would be read from each of them to its end.
    if (passesSigns && pieces[from]?.written === '') return null;
    let best: Found | null = null;
    let read = '';
    for (let at = from; at < pieces.length; at += 1) {
      const piece = pieces[at];
      if (piece === undefined || (passesSigns && piece.written === '')) continue;
      read += piece.read;
      if (!beginnings.has(read)) break;
      const word = at === from ? undefined : listed.get(read);
      if (word === undefined) continue;
      const taken = pieces.slice(from, at + 1);
      if (read.length >= leastAcross(taken, word) && taken.some(({ latin, foreign }) => latin || foreign))
        best = { word, count: taken.length };
    }
    return best;
  };

  return (text) => {
    const pieces = piecesOf(text);
    const words: string[] = [];
    for (let at = 0, piece = pieces[0]; piece !== undefined; piece = pieces[at]) {
      const found = across(pieces, at, false) ?? across(pieces, at, true);
      const word = found?.word ?? inOne(piece) ?? piece.written;
      if (word !== '') words.push(word);
      at += found?.count ?? 1;
    }
    return words.join(' ');
  };
};

/** Letters of Latin script that phonetics uses, such as the ɡ and ɑ that look like g and a. */
const PHONETIC = /[\u0250-\u02AF\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F]/u;

/** Whether a character of another script, or of phonetics, looks like a Latin letter or a digit. */
export const isLatinLookalike = (character: string): boolean =>
  LOOKALIKES.has(character) && (!/\p{Script=Latin}/u.test(character) || PHONETIC.test(character));

/** A text as it looks in plain letters: lower case, without marks, digits and signs as letters; i and l are one. */
export const plainLook = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (/^[\x00-\x7F]*$/.test(text)) return text.toLowerCase().replace(/[\di@$!|]/g, (sign) => SWAPS[sign] ?? sign);
  return Array.from(text.normalize('NFKD').replace(/\p{M}/gu, ''), (character) => {
    const plain = character > '\x7F' ? (LOOKALIKES.get(character) ?? enclosed(character) ?? character) : character;
    const lower = plain.toLowerCase();
    return SWAPS[lower] ?? lower;
  }).join('');
};
