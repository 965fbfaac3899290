import type { Goal } from '@cds/contracts';
import { addDays, daysBetween } from './calendar.js';

/** Counted from the campaign's moment (docs/domain/plans.md#line-texts); planning and metrics name it. */

const MOMENT_DAY = { launch: 'Launch day', funding: 'Announcement day', feature: 'Release day' } as const;

const momentDay = (goal: Goal | null): string => (goal === null || goal === 'program' ? 'Day 1' : MOMENT_DAY[goal]);

export const slotOf = (of: {
  date: string;
  windowStart: string;
  momentOffset: number;
  goal: Goal | null;
  format: string | null;
}): string => {
  const place = placeOf(of);
  return of.format === null ? place : `${place}, ${of.format}`;
};

const placeOf = ({ date, windowStart, momentOffset, goal }: Parameters<typeof slotOf>[0]): string => {
  if (goal === 'program') return `Week ${Math.floor(daysBetween(windowStart, date) / 7) + 1}`;
  const after = daysBetween(addDays(windowStart, momentOffset), date);
  if (after === 0) return momentDay(goal);
  if (after < 0) return `${-after} ${after === -1 ? 'day' : 'days'} before`;
  return after < 7 ? `Day ${after + 1}` : `Week ${Math.floor(after / 7) + 1}`;
};
