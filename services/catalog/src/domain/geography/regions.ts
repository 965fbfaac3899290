/** The regions named by a geography or audience text (docs/domain/network.md#regions). Regions never change a count. */
import { CAPITAL_NAMES, COUNTRIES_OF_LANGUAGES, PLACES, TRADE_CODES } from './gazetteer.js';

export const WORLDWIDE = 'Worldwide';

type Name = { words: readonly string[]; shown: string };

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFC')
    .replace(/\bU\.S\.A?\.?/g, 'US')
    .replace(/\bU\.K\.?/g, 'UK')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const plural = (name: string): string[] => [name, `${name}s`];

const NAMES: ReadonlyMap<string, readonly Name[]> = (() => {
  const index = new Map<string, Name[]>();
  for (const { shown, names } of PLACES) {
    for (const name of names.flatMap(plural)) {
      const words = wordsIn(name.toLowerCase());
      const first = words[0] ?? '';
      index.set(
        first,
        [...(index.get(first) ?? []), { words, shown }].sort((one, other) => other.words.length - one.words.length),
      );
    }
  }
  return index;
})();

const CODES: ReadonlyMap<string, string> = new Map(
  PLACES.flatMap(({ shown, codes }) => codes.map((code): [string, string] => [code, shown])),
);

type Read = { shown: readonly string[]; words: number };

const SPEAKING: ReadonlySet<string> = new Set(['speaking', 'speaker', 'speakers']);

const languageAt = (words: readonly string[], at: number): Read | null => {
  const shown = COUNTRIES_OF_LANGUAGES.get(words[at]?.toLowerCase() ?? '');
  const speaks = SPEAKING.has(words[at + 1]?.toLowerCase() ?? '');
  return shown !== undefined && speaks ? { shown, words: 2 } : null;
};

const placeAt = (words: readonly string[], at: number, inGeography: boolean): Read | null => {
  const word = words[at] ?? '';
  const name = NAMES.get(word.toLowerCase())?.find(({ words: wanted }) =>
    wanted.every((one, index) => words[at + index]?.toLowerCase() === one),
  );
  const everyday = !inGeography && CAPITAL_NAMES.has(word) && name?.words.length === 1;
  if (name !== undefined && !everyday) return { shown: [name.shown], words: name.words.length };
  const code = !inGeography && TRADE_CODES.has(word) ? undefined : CODES.get(word);
  return code === undefined ? null : { shown: [code], words: 1 };
};

const regionsIn = (text: string | null, inGeography: boolean): string[] => {
  const words = wordsIn(text ?? '');
  const found = new Set<string>();
  for (let at = 0; at < words.length; ) {
    const place = languageAt(words, at) ?? placeAt(words, at, inGeography);
    for (const shown of place?.shown ?? []) found.add(shown);
    at += place?.words ?? 1;
  }
  return [...found];
};

/** Countries and groups in order of appearance in the geography, else in the audience text, else worldwide. */
export const regionsOf = (geography: string | null, audience: string | null): string[] => {
  for (const regions of [regionsIn(geography, true), regionsIn(audience, false)])
    if (regions.length > 0) return regions;
  return [WORLDWIDE];
};
