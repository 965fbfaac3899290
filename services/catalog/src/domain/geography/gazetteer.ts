import { z } from 'zod';
import { listed } from '../listed.js';
import file from './places.json' with { type: 'json' };

const CODES = /^[A-Z]{2,5}$/;

const places = z
  .strictObject({
    /** By ISO 3166 code: the name we show, then other names and demonyms. */
    countries: z.record(z.string().regex(/^[A-Z]{2}$/), listed()),
    more_codes: z.record(z.string(), listed(CODES)),
    /** Groups of countries: the name we show, then other names and codes. */
    groups: z.array(listed()),
    /** The codes of the countries where most people speak a language, by its name in lower case. */
    speakers: z.record(z.string(), listed(CODES)),
    members: z.record(z.string(), listed()),
    trade_codes: listed(CODES),
    capital_names: listed(),
  })
  .parse(file);

/** Names match in any case, codes only in capitals (docs/domain/network.md#regions). */
export type Place = { shown: string; names: readonly string[]; codes: readonly string[]; isCountry: boolean };

const isCode = (name: string): boolean => CODES.test(name);

export const PLACES: readonly Place[] = [
  ...Object.entries(places.countries).map(([code, names]): Place => {
    return { shown: names[0] ?? code, names, codes: [code, ...(places.more_codes[code] ?? [])], isCountry: true };
  }),
  ...places.groups.map((all): Place => {
    return {
      shown: all[0] ?? '',
      names: all.filter((name) => !isCode(name) || name.length > 3),
      codes: all.filter(isCode),
      isCountry: false,
    };
  }),
];

const SHOWN: ReadonlyMap<string, string> = new Map(PLACES.map(({ shown, codes }) => [codes[0] ?? '', shown]));

/** The countries that a language implies ("English-speaking countries"), by its name in lower case. */
export const COUNTRIES_OF_LANGUAGES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(places.speakers).map(([language, codes]) => [language, codes.map((code) => SHOWN.get(code) ?? code)]),
);

/** Codes with another meaning in job descriptions; they name a place only in a geography. */
export const TRADE_CODES: ReadonlySet<string> = new Set(places.trade_codes);

/** Names that are ordinary words in lower case: polish, turkey, jordan. */
export const CAPITAL_NAMES: ReadonlySet<string> = new Set(places.capital_names);

const membersOf = (group: string): string[] =>
  places.members[group]?.flatMap((one) => (one in places.members ? membersOf(one) : one)) ?? [];

export const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.keys(places.members).map((group) => [group, membersOf(group)]),
);
