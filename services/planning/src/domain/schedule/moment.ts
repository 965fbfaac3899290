import { dayOf } from '@cds/service/calendar';
import { MONTHS } from '../days.js';

const MONTH = MONTHS.join('|');
/** The date formats that are understood: 2027-03-12, 12 March 2027, March 12, 2027, and the last two without a year. */
const DATES = new RegExp(
  `\\b(?:(\\d{4}-\\d{2}-\\d{2})(?!\\d)|(\\d{1,2})\\s+(${MONTH})\\b(?:,?\\s+(\\d{4})\\b)?|(${MONTH})\\s+(\\d{1,2})\\b(?:,?\\s+(\\d{4})\\b)?)`,
  'gi',
);

/**
 * The day M of the moment: the first date of the text inside the window, else the window's first day
 * (docs/domain/plans.md#dates).
 */
export const momentDay = (moment: string | null, windowStart: string, windowEnd: string): string => {
  for (const found of (moment ?? '').matchAll(DATES)) {
    const [, iso, dayBefore, monthAfter, yearAfter, monthBefore, dayAfter, yearLast] = found;
    const day = iso ?? null;
    const candidates =
      day !== null
        ? [day]
        : written(
            Number(dayBefore ?? dayAfter),
            monthAfter ?? monthBefore ?? '',
            yearAfter ?? yearLast,
            windowStart,
            windowEnd,
          );
    const fitting = candidates.find((one) => isRealDay(one) && one >= windowStart && one <= windowEnd);
    if (fitting !== undefined) return fitting;
  }
  return windowStart;
};

/** A day written in words, in the year named or, without one, in each year that the window touches. */
const written = (day: number, month: string, year: string | undefined, start: string, end: string): string[] => {
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1;
  const years = year === undefined ? [start.slice(0, 4), end.slice(0, 4)] : [year];
  return years.map((one) => `${one}-${String(index).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
};

const isRealDay = (day: string): boolean => {
  const at = new Date(day);
  return !Number.isNaN(at.getTime()) && dayOf(at) === day;
};
