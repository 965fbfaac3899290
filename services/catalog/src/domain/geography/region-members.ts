/** The countries of each group (docs/domain/network.md#regions), for the plan builder's regional preference. */
import { MEMBERS, PLACES } from './gazetteer.js';
import { WORLDWIDE } from './regions.js';

const CODES: ReadonlyMap<string, string> = new Map(
  PLACES.map(({ shown, codes }) => [shown.toLowerCase(), codes[0] ?? '']),
);

/** Null for an unknown country, undefined for every country when the regions are worldwide. */
export const insideOf = (regions: readonly string[]): ((country: string | null) => boolean | null | undefined) => {
  if (regions.includes(WORLDWIDE)) return () => undefined;
  const inside = new Set(regions.flatMap((region) => MEMBERS.get(region) ?? CODES.get(region.toLowerCase()) ?? []));
  return (country) => {
    const code = CODES.get(country?.toLowerCase() ?? '');
    return code === undefined ? null : inside.has(code);
  };
};
