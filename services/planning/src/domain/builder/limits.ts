import { BUILDER } from '../constants.js';
import type { Offered } from './candidates.js';

/** Limits grow with the cap, except one line's share of a larger cap (docs/domain/plans.md#candidates). */
export type Limits = {
  capCents: number;
  lines: number;
  creators: number;
  lineCents: number;
  /** Per reach band; infinite where other bands have too few candidates. */
  bandLines: ReadonlyMap<string, number>;
};

export const cheapestOf = ({ candidates }: Offered): number[] =>
  candidates.map(({ units }) => Math.min(...units.map((unit) => unit.price_cents)));

export const limitsOf = (
  offered: Offered,
  { capCents, maxCreators = Number.POSITIVE_INFINITY }: { capCents: number; maxCreators?: number },
): Limits => {
  const { candidates } = offered;
  const m = median(cheapestOf(offered));
  const lines = Math.min(
    BUILDER.maxLines,
    BUILDER.fewLines + Math.floor(capCents / BUILDER.centsPerLine),
    Math.max(1, Math.round((BUILDER.linesPerMedian * capCents) / m)),
  );
  const ofBand = Math.max(BUILDER.bandLeast, Math.ceil(lines / 2));
  const sizes = new Map<string, number>();
  for (const { reach_band } of candidates) sizes.set(reach_band, (sizes.get(reach_band) ?? 0) + 1);
  return {
    capCents,
    lines,
    creators: maxCreators,
    lineCents:
      lines > BUILDER.fewLines
        ? BUILDER.capShareOfMany * capCents
        : Math.max(BUILDER.capShare * capCents, Math.min(capCents, BUILDER.medianShare * m)),
    bandLines: new Map(
      [...sizes].map(([band, size]) => [band, candidates.length - size < ofBand ? Number.POSITIVE_INFINITY : ofBand]),
    ),
  };
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
};
