import { REACH_BANDS, type ReachBand } from '@cds/contracts';
import { PRICES_OF, type PriceOf, type Row } from './rows.js';

type Column = Float64Array | Uint8Array | Uint16Array;

/** Numeric codes for texts compared without case; 0 is none, and an unknown text has no code. */
export class Codes {
  private readonly codes = new Map<string, number>();

  /** The code of a stored text, created if new. */
  of(text: string | null): number {
    if (text === null) return 0;
    const key = text.toLowerCase();
    const code = this.codes.get(key) ?? this.codes.size + 1;
    this.codes.set(key, code);
    return code;
  }

  asked(text: string): number {
    return this.codes.get(text.toLowerCase()) ?? -1;
  }
}

/** Codes that live as long as the memory and are shared by all versions. */
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
  former: { column: C; changed: Changed } | null,
): C => {
  const at = (place: number): number => value(rows[place] as Row);
  if (former === null) {
    const column = make(rows.length);
    for (let place = 0; place < rows.length; place += 1) column[place] = at(place);
    return column;
  }
  const { column, changed } = former;
  const places = changed.places.filter((place) => place < rows.length);
  if (rows.length === column.length && places.every((place) => Object.is(column[place], at(place)))) return column;
  const next = make(rows.length);
  next.set(column.subarray(0, Math.min(column.length, rows.length)) as never);
  for (const place of places) next[place] = at(place);
  return next;
};

/** The columns of a version. Given the previous version, only changes are computed. */
export const makeColumns = (
  rows: readonly Row[],
  { countries, languages }: Dictionaries,
  former: { columns: Columns; changed: Changed } | null,
): Columns => {
  const floats = (value: (row: Row) => number | null, of: (columns: Columns) => Float64Array) =>
    columnOf(
      rows,
      (size) => new Float64Array(size),
      (row) => value(row) ?? Number.NaN,
      former && { column: of(former.columns), changed: former.changed },
    );
  const bytes = (value: (row: Row) => number, of: (columns: Columns) => Uint8Array) =>
    columnOf(
      rows,
      (size) => new Uint8Array(size),
      value,
      former && { column: of(former.columns), changed: former.changed },
    );
  const shorts = (value: (row: Row) => number, of: (columns: Columns) => Uint16Array) =>
    columnOf(
      rows,
      (size) => new Uint16Array(size),
      value,
      former && { column: of(former.columns), changed: former.changed },
    );
  return {
    followers: floats(
      (row) => row.creator.followers,
      (one) => one.followers,
    ),
    medians: floats(
      (row) => row.creator.median_views_30d,
      (one) => one.medians,
    ),
    rates: floats(
      (row) => row.creator.engagement_rate_30d,
      (one) => one.rates,
    ),
    cheapest: Object.fromEntries(
      PRICES_OF.map((of) => [
        of,
        floats(
          (row) => row.cheapest[of],
          (one) => one.cheapest[of],
        ),
      ]),
    ) as Record<PriceOf, Float64Array>,
    bands: bytes(
      (row) => bandCode(row.creator.reach_band),
      (one) => one.bands,
    ),
    countries: shorts(
      (row) => countries.of(row.creator.country),
      (one) => one.countries,
    ),
    languages: shorts(
      (row) => languages.of(row.creator.language),
      (one) => one.languages,
    ),
    bookable: bytes(
      (row) => Number(row.bookable),
      (one) => one.bookable,
    ),
    buyableUnits: bytes(
      (row) => row.buyableUnits,
      (one) => one.buyableUnits,
    ),
    synced: floats(
      (row) => row.creator.synced_at?.getTime() ?? null,
      (one) => one.synced,
    ),
  };
};
