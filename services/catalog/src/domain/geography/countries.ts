/** The countries that a filter asks for (docs/domain/network.md#lists). */
import { folded } from '../search-terms.js';
import { MEMBERS, PLACES, type Place } from './gazetteer.js';

const keyOf = (name: string): string =>
  folded(name)
    .replace(/[.’']/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

const BY_NAME: ReadonlyMap<string, Place> = new Map(
  [...PLACES]
    .sort((one, other) => Number(one.isCountry) - Number(other.isCountry))
    .flatMap((place) => [...place.names, ...place.codes].map((name) => [keyOf(name), place] as const)),
);
const SHOWN: ReadonlyMap<string, string> = new Map(PLACES.map(({ codes, shown }) => [codes[0] ?? '', shown]));
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
  if (place === undefined)
    return { problem: 'names no country that we know; send an English name or an ISO 3166 code' };
  const covered = (MEMBERS.get(place.shown) ?? []).map((code) => SHOWN.get(code) ?? code);
  return { problem: `must be one country; ${place.shown} is a region of ${covered.length}: ${covered.join(', ')}` };
};
