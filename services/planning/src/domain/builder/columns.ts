import type { AudienceWeights } from '@cds/contracts';
import { REACH_SHARE } from '../constants.js';
import type { Offered } from './candidates.js';
import type { Limits } from './limits.js';

/**
 * The candidates in columns, with the reach curve of each group (docs/domain/plans.md#plan-value). A group is a segment
 * of the audience in one reach band; its place is `band * segments + segment`. Columns of options are indexed by the
 * option's place.
 */
export type Columns = {
  limits: Limits;
  segments: number;
  reach: Float64Array;
  bandLines: Float64Array;
  owner: Int32Array;
  band: Uint8Array;
  cents: Float64Array;
  lines: Uint8Array;
  value: Float64Array;
  views: Float64Array;
  /** 1 - exp(-views / U): the part of what is left of a curve that the option takes. */
  taken: Float64Array;
  /** Of some value and, alone, within every limit. */
  buyable: Int32Array;
};

/** An audience without segments counts as one segment that all belong to. */
export const columnsOf = ({ candidates, options }: Offered, limits: Limits, audience: AudienceWeights): Columns => {
  const bands = [...new Set(candidates.map(({ reach_band }) => reach_band))].sort();
  const segments = Math.max(1, audience.length);
  const shares = candidates.map(({ weights }) => sharesOf(weights, audience));
  const bandLines = Float64Array.from(bands, (band) => limits.bandLines.get(band) ?? Number.POSITIVE_INFINITY);
  const bandOf = candidates.map(({ reach_band }) => bands.indexOf(reach_band));

  const best = new Float64Array(candidates.length);
  for (const { owner, value } of options) best[owner] = Math.max(best[owner] as number, value);
  const reach = new Float64Array(bands.length * segments);
  best.forEach((value, owner) => {
    shares[owner]?.forEach((share, segment) => {
      const group = (bandOf[owner] ?? 0) * segments + segment;
      reach[group] = (reach[group] as number) + REACH_SHARE * share * value;
    });
  });

  const views = new Float64Array(options.length * segments);
  const taken = new Float64Array(options.length * segments);
  options.forEach(({ owner, value }, option) => {
    shares[owner]?.forEach((share, segment) => {
      const most = reach[(bandOf[owner] ?? 0) * segments + segment] as number;
      views[option * segments + segment] = share * value;
      taken[option * segments + segment] = most > 0 ? -Math.expm1((-share * value) / most) : 0;
    });
  });

  const fitsAlone = ({ owner, cents, lines, value }: Offered['options'][number]): boolean =>
    value > 0 &&
    cents <= limits.capCents &&
    cents / lines <= limits.lineCents &&
    lines <= limits.lines &&
    lines <= (bandLines[bandOf[owner] ?? 0] as number);
  return {
    limits,
    segments,
    reach,
    bandLines,
    owner: Int32Array.from(options, ({ owner }) => owner),
    band: Uint8Array.from(options, ({ owner }) => bandOf[owner] ?? 0),
    cents: Float64Array.from(options, ({ cents }) => cents),
    lines: Uint8Array.from(options, ({ lines }) => lines),
    value: Float64Array.from(options, ({ value }) => value),
    views,
    taken,
    buyable: Int32Array.from(options.flatMap((option, place) => (fitsAlone(option) ? [place] : []))),
  };
};

/** Some of the options, by ascending place: quicker to search, same curves and limits. */
export const narrowed = (columns: Columns, places: Int32Array): Columns => {
  const { segments, owner } = columns;
  let last = -1;
  let owners = -1;
  const perSegment = (column: Float64Array): Float64Array =>
    Float64Array.from({ length: places.length * segments }, (_, at) => {
      const place = places[Math.floor(at / segments)] as number;
      return column[place * segments + (at % segments)] as number;
    });
  return {
    ...columns,
    owner: places.map((place) => {
      if (owner[place] !== last) owners += 1;
      last = owner[place] as number;
      return owners;
    }),
    band: Uint8Array.from(places, (place) => columns.band[place] as number),
    cents: Float64Array.from(places, (place) => columns.cents[place] as number),
    lines: Uint8Array.from(places, (place) => columns.lines[place] as number),
    value: Float64Array.from(places, (place) => columns.value[place] as number),
    views: perSegment(columns.views),
    taken: perSegment(columns.taken),
    buyable: places.map((_, place) => place),
  };
};

const sharesOf = (weights: readonly number[], audience: AudienceWeights): number[] => {
  if (audience.length === 0) return [1];
  const parts = audience.map(({ weight }, segment) => weight * (weights[segment] ?? 0));
  const sum = parts.reduce((total, part) => total + part, 0);
  return sum > 0 ? parts.map((part) => part / sum) : audience.map(() => 1 / audience.length);
};
