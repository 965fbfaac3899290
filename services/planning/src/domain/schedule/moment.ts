import { dayOf } from '@cds/service/calendar';
import { Chrono, en } from 'chrono-node';

export type Moment = { day: string; words: string | null };

const READERS = [en.strict, new Chrono(en.configuration.createConfiguration(true, true))];
/** Words in the form of a date that mean something else. */
const NO_DATES = /^24\/7$/;
const PREPOSITION = /^(on|from|by|at)\s+/i;

/** The first date with exactly one reading inside the window, else its first day (docs/domain/plans.md#dates). */
export const momentOf = (text: string | null, windowStart: string, windowEnd: string): Moment => {
  // A date without a year is otherwise read as near the day on which this runs.
  const reference = { instant: new Date(windowStart), timezone: 0 };
  const found = READERS.flatMap((reader) => reader.parse(text ?? '', reference))
    .filter((one) => isWholeDate(one) && !NO_DATES.test(one.text))
    .sort((one, other) => one.index - other.index);
  for (const { index, text: words } of found) {
    const readings = new Set(
      found
        .filter((one) => one.index < index + words.length && index < one.index + one.text.length)
        .flatMap(({ start }) => daysOf(start, windowStart, windowEnd).slice(0, 1)),
    );
    const [day] = readings;
    if (day !== undefined && readings.size === 1) return { day, words: words.replace(PREPOSITION, '') };
  }
  return { day: windowStart, words: null };
};

type Found = ReturnType<Chrono['parse']>[number];

/** "Friday" and "in two weeks" count from a day that nobody named. */
const isWholeDate = ({ start }: Found): boolean =>
  start.isCertain('day') && start.isCertain('month') && !start.tags().has('result/relativeDate');

const daysOf = (start: Found['start'], windowStart: string, windowEnd: string): string[] => {
  const years = start.isCertain('year')
    ? [start.get('year')]
    : [Number(windowStart.slice(0, 4)), Number(windowEnd.slice(0, 4))];
  return years
    .flatMap((year) => {
      const day = new Date(Date.UTC(year ?? 0, (start.get('month') ?? 0) - 1, start.get('day') ?? 0));
      return day.getUTCDate() === start.get('day') ? [dayOf(day)] : [];
    })
    .filter((day) => day >= windowStart && day <= windowEnd);
};
