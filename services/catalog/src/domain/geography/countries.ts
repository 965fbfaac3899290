import { PLACES } from './gazetteer.js';

const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  PLACES.filter(({ isCountry }) => isCountry).flatMap(({ names, codes }) =>
    codes.map((code) => [code.toLowerCase(), names] as const),
  ),
);

export const countryNames = (asked: string): readonly string[] => NAMES.get(asked.trim().toLowerCase()) ?? [asked];
