import { dayOf } from '@cds/service/calendar';
import { DAY_MS } from './constants.js';

/** The last `range` UTC days up to today, oldest first. */
export const usageDays = (now: Date, range: number): string[] =>
  Array.from({ length: range }, (_none, index) => dayOf(new Date(now.getTime() - (range - 1 - index) * DAY_MS)));
