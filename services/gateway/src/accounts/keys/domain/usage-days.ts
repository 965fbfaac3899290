import { dayOf } from '@cds/service/calendar';
import { DAY_MS } from './constants.js';

export const usageDays = (now: Date, range: number): string[] =>
  Array.from({ length: range }, (_none, index) => dayOf(new Date(now.getTime() - (range - 1 - index) * DAY_MS)));
