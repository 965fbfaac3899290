import type { MandateTried, MandateTryPage } from '@cds/contracts';

const MOST_LISTED = 1_000;

/** The pages of all services as one answer, newest first. `tried` counts every judged write, listed or not. */
export const mandateTried = (from: Date, to: Date, pages: readonly MandateTryPage[]): MandateTried => ({
  from: from.toISOString(),
  to: to.toISOString(),
  tried: pages.reduce((sum, { tried }) => sum + tried, 0),
  refused: newest(pages.flatMap(({ refused }) => refused)),
  changed: newest(pages.flatMap(({ changed }) => changed)).map(({ request_id, was, would }) => ({
    request_id,
    was,
    would,
  })),
});

const newest = <T extends { at: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, MOST_LISTED);
