import { POST_TWICE } from './constants.js';
import { addDays, daysBetween, daysFrom, isWeekend } from './days.js';
import { datesFor, firstDay, type Window } from './schedule.js';

/** Whether the days of a program leave room for two posts of one creator (domain 2-plans 3.1). */
export const hasTwoDays = (window: Window, today: string): boolean => firstDay('program', window, today) < window.end;

/**
 * The dates of a program's options, given by falling value with the lines each makes: even over the days as `datesFor`
 * has them, and two posts of one creator at least 7 days apart, or as far as the days allow (domain 2-plans 4). Empty
 * when no day is left.
 */
export const programDates = (lines: readonly (1 | 2)[], window: Window, today: string): string[][] => {
  const count = lines.reduce<number>((sum, one) => sum + one, 0);
  const open = datesFor('program', count, window, today);
  if (open.length === 0) return [];
  const pairs = lines.map((one) => (one === 2 ? takePair(open, firstDay('program', window, today), window.end) : null));
  return pairs.map((pair) => pair ?? open.splice(0, 1));
};

/** Two dates for one creator, taken from the open ones where these allow it; a day of their own takes the place of an open one. */
const takePair = (open: string[], first: string, end: string): string[] => {
  const apart = Math.min(POST_TWICE.daysApart, daysBetween(first, end));
  const latestStart = addDays(end, -apart);
  const start = open.find((day) => day <= latestStart) ?? weekdayFirst(first, latestStart);
  const next = addDays(start, apart);
  const second = open.find((day) => day >= next) ?? weekdayFirst(next, end);
  for (const day of [start, second]) open.splice(Math.max(0, open.indexOf(day)), 1);
  return [start, second];
};

const weekdayFirst = (from: string, to: string): string => daysFrom(from, to).find((day) => !isWeekend(day)) ?? from;
