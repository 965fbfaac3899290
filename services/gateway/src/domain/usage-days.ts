import { DAY_MS } from './constants.js';

/** The UTC day of an instant, which a request counts in. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The last `range` UTC days up to today, oldest first. */
export const usageDays = (now: Date, range: number): string[] =>
  Array.from({ length: range }, (_none, index) => dayOf(new Date(now.getTime() - (range - 1 - index) * DAY_MS)));
