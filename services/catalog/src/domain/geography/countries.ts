/** The countries that a filter asks for (docs/domain/network.md#lists). */
import { folded } from '../search-terms.js';
import { MEMBERS, PLACES, type Place } from './gazetteer.js';

const keyOf = (name: string): string =>
  folded(name)
    .replace(/[.’']/g, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .replace(/\bsaint\b/g, 'st');

const ENGLISH = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const SHORT = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none', style: 'short' });

/** What Unicode calls a place: in English, also shorter, and in the language that most people there speak. */
const unicodeNames = (code: string): string[] => {
  const { language } = new Intl.Locale('und', { region: code }).maximize();
  const own = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return [ENGLISH, SHORT, own].flatMap((names) => names.of(code) ?? []);
};

const BY_NAME: ReadonlyMap<string, Place> = new Map(
  [...PLACES]
    .sort((one, other) => Number(one.isCountry) - Number(other.isCountry))
    .flatMap((place) => {
      const more = place.isCountry ? unicodeNames(place.codes[0] ?? '') : [];
      return [...more, ...place.names, ...place.codes].map((name) => [keyOf(name), place] as const);
    }),
);
const SHOWN: ReadonlyMap<string, string> = new Map(PLACES.map(({ codes, shown }) => [codes[0] ?? '', shown]));

/** Regions of Unicode that are no country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
/** The countries that the list of places lacks, by their code and English name; codes out of use name nothing. */
const OTHERS: ReadonlyMap<string, readonly string[]> = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`)).flatMap((code) => {
    const name = ENGLISH.of(code);
    const isInUse = !NO_COUNTRY.has(code) && new Intl.Locale('und', { region: code }).region === code;
    if (name === undefined || !isInUse || SHOWN.has(code)) return [];
    return [code, ...unicodeNames(code)].map((one) => [keyOf(one), [name, code]] as const);
  }),
);

const WORLD: ReadonlySet<string> = new Set(['worldwide', 'world', 'global', 'anywhere', 'everywhere', 'all', 'any']);

/** The names of one country, any of which a creator may have; or what is wrong with what was asked. */
export type CountryAsked = { names: readonly string[] } | { problem: string };

/** `isHeld` says whether a creator has this very country, known or not. */
export const countryAsked = (asked: string, isHeld: (name: string) => boolean): CountryAsked => {
  const key = keyOf(asked);
  const place = BY_NAME.get(key);
  if (place?.isCountry === true) return { names: [...place.names, ...place.codes] };
  if (isHeld(asked)) return { names: [asked] };
  if (WORLD.has(key)) return { problem: 'must be one country; leave it out for all of them' };
  const other = OTHERS.get(key);
  if (place === undefined && other !== undefined) return { names: other };
  if (place === undefined)
    return { problem: 'names no country that we know; send an English name or an ISO 3166 code of two letters' };
  const covered = (MEMBERS.get(place.shown) ?? []).map((code) => SHOWN.get(code) ?? ENGLISH.of(code) ?? code);
  return { problem: `must be one country; ${place.shown} is a region of ${covered.length}: ${covered.join(', ')}` };
};
