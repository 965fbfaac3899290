import { addDays, daysBetween } from '@cds/service/calendar';
import { POST_TWICE } from '../constants.js';
import { daysFrom, isWeekend } from '../days.js';
import { datesFor, firstDay, type Window } from './schedule.js';

export const hasTwoDays = (window: Window, today: string): boolean => firstDay('program', window, today) < window.end;

/**
 * The options come by falling value with the lines each makes. Dates are spread like `datesFor`; two posts of one
 * creator are at least 7 days and a third of the window apart, or as far as the days allow
 * (docs/domain/plans.md#dates). Empty when no day is left.
 */
export const programDates = (lines: readonly (1 | 2)[], window: Window, today: string): string[][] => {
  const count = lines.reduce<number>((sum, one) => sum + one, 0);
  const days = new OpenDays(datesFor('program', count, window, today));
  if (days.open.length === 0) return [];
  const [first, end] = [firstDay('program', window, today), window.end];
  const thirdOfWindow = Math.ceil((daysBetween(window.start, end) + 1) / 3);
  const apart = Math.min(Math.max(POST_TWICE.daysApart, thirdOfWindow), daysBetween(first, end));
  const pairs = lines.map((one) => {
    if (one === 1) return null;
    const start = days.take(first, addDays(end, -apart));
    return [start, days.take(addDays(start, apart), end)];
  });
  return pairs.map((pair) => pair ?? [days.take(first, end)]);
};

class OpenDays {
  private readonly taken: string[] = [];

  constructor(readonly open: string[]) {}

  /** The earliest open date, else the emptiest day; then the open date on the fullest day is dropped. */
  take(from: string, to: string): string {
    const found = this.open.find((day) => day >= from && day <= to);
    const given = found ?? this.least(daysFrom(from, to), (day) => this.load(day) + (isWeekend(day) ? 0.5 : 0));
    this.open.splice(this.open.indexOf(found ?? this.least(this.open, (day) => -this.load(day))), 1);
    this.taken.push(given);
    return given;
  }

  private load(day: string): number {
    return [...this.open, ...this.taken].filter((one) => one === day).length;
  }

  private least(days: readonly string[], rank: (day: string) => number): string {
    return days.reduce((best, day) => (rank(day) < rank(best) ? day : best), days[0] ?? '');
  }
}
