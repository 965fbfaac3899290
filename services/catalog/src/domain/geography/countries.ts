/** Country filters of lists: a name, or an ISO 3166 code (docs/domain/network.md#lists). */
import { PLACES } from './gazetteer.js';

/** The names of each country by its codes, in lower case; groups of countries have no two-letter code here. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  PLACES.filter(({ isCountry }) => isCountry).flatMap(({ names, codes }) =>
    codes.map((code) => [code.toLowerCase(), names] as const),
  ),
);

/** The names that a country filter stands for: those of a code, or the text itself. */
export const countryNames = (asked: string): readonly string[] => NAMES.get(asked.trim().toLowerCase()) ?? [asked];
