import { REACH_BANDS, type ReachBand } from '@cds/contracts';
import { folded } from '../domain/search-terms.js';
import { PRICES_OF, type PriceOf, type Row } from './rows.js';

type Column = Float64Array | Uint8Array | Uint16Array;

/** Numeric codes for texts compared without case and diacritics; 0 is none, and an unknown text has no code. */
export class Codes {
  private readonly codes = new Map<string, number>();

  of(text: string | null): number {
    if (text === null) return 0;
    const key = folded(text);
    const code = this.codes.get(key) ?? this.codes.size + 1;
    this.codes.set(key, code);
    return code;
  }

  asked(text: string): number {
    return this.codes.get(folded(text)) ?? -1;
  }
}

export type Dictionaries = { countries: Codes; languages: Codes };

/** The figures that lists filter and sort by, as typed arrays with one place per row; NaN is null. */
export type Columns = {
  followers: Float64Array;
  medians: Float64Array;
  rates: Float64Array;
  cheapest: Readonly<Record<PriceOf, Float64Array>>;
  bands: Uint8Array;
  countries: Uint16Array;
  languages: Uint16Array;
  bookable: Uint8Array;
  buyableUnits: Uint8Array;
  synced: Float64Array;
};

export const bandCode = (band: ReachBand): number => REACH_BANDS.indexOf(band);

/** The places that changed between two versions; `from` is the previous number of rows. */
export type Changed = { places: readonly number[]; from: number };

/** A column for the current rows: the previous one itself if nothing in it changed. */
const columnOf = <C extends Column>(
  rows: readonly Row[],
  make: (size: number) => C,
  value: (row: Row) => number,
  former: C | undefined,
  changed: readonly number[],
): C => {
  const at = (place: number): number => value(rows[place] as Row);
  if (former === undefined) {
    const column = make(rows.length);
    for (let place = 0; place < rows.length; place += 1) column[place] = at(place);
    return column;
  }
  const places = changed.filter((place) => place < rows.length);
  if (rows.length === former.length && places.every((place) => Object.is(former[place], at(place)))) return former;
  const next = make(rows.length);
  next.set(former.subarray(0, Math.min(former.length, rows.length)) as never);
  for (const place of places) next[place] = at(place);
  return next;
};

/** Given the previous version, only changes are computed. */
export const makeColumns = (
  rows: readonly Row[],
  { countries, languages }: Dictionaries,
  former: { columns: Columns; changed: Changed } | null,
): Columns => {
  const was = former?.columns;
  const places = former?.changed.places ?? [];
  const floats = (before: Float64Array | undefined, value: (row: Row) => number | null) =>
    columnOf(
      rows,
      (size) => new Float64Array(size),
      (row) => value(row) ?? Number.NaN,
      before,
      places,
    );
  const bytes = (before: Uint8Array | undefined, value: (row: Row) => number) =>
    columnOf(rows, (size) => new Uint8Array(size), value, before, places);
  const shorts = (before: Uint16Array | undefined, value: (row: Row) => number) =>
    columnOf(rows, (size) => new Uint16Array(size), value, before, places);
  const cheapest = PRICES_OF.map((of) => [of, floats(was?.cheapest[of], (row) => row.cheapest[of])] as const);
  return {
    followers: floats(was?.followers, ({ creator }) => creator.followers),
    medians: floats(was?.medians, ({ creator }) => creator.median_views_30d),
    rates: floats(was?.rates, ({ creator }) => creator.engagement_rate_30d),
    cheapest: Object.fromEntries(cheapest) as Record<PriceOf, Float64Array>,
    bands: bytes(was?.bands, ({ creator }) => bandCode(creator.reach_band)),
    countries: shorts(was?.countries, ({ creator }) => countries.of(creator.country)),
    languages: shorts(was?.languages, ({ creator }) => languages.of(creator.language)),
    bookable: bytes(was?.bookable, ({ bookable }) => Number(bookable)),
    buyableUnits: bytes(was?.buyableUnits, ({ buyableUnits }) => buyableUnits),
    synced: floats(was?.synced, ({ creator }) => creator.synced_at?.getTime() ?? null),
  };
};
