import type { Goal } from '@cds/contracts';
import { addDays, daysBetween } from '@cds/service/calendar';
import { BUCKETS, DAY_SHARE, LEAD_DAYS } from '../constants.js';
import { daysFrom, isWeekend, laterOf } from '../days.js';

export type Window = { start: string; end: string; momentOffset: number };

/** Two days ahead, and never before M for launch, funding and feature (docs/domain/plans.md#dates). */
export const firstDay = (goal: Goal | null, window: Window, today: string): string => {
  const ahead = laterOf(window.start, addDays(today, LEAD_DAYS));
  const base = ahead > window.end ? laterOf(window.start, today) : ahead;
  return goal === null || goal === 'program' ? base : laterOf(base, addDays(window.start, window.momentOffset));
};

/** Earliest on ties; null when no day is left. */
export const emptiestDay = (taken: readonly string[], first: string, end: string): string | null => {
  const days = daysFrom(first, end);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const day of days) {
    const lines = taken.filter((one) => one === day).length;
    if (lines < least) [best, least] = [day, lines];
  }
  return best;
};

/** By falling value (docs/domain/plans.md#dates). Empty when no day is left. */
export const datesFor = (goal: Goal, count: number, window: Window, today: string): string[] => {
  const first = firstDay(goal, window, today);
  const days = daysFrom(first, window.end);
  if (days.length === 0) return [];
  return goal === 'program' ? evenDates(count, days) : bucketDates(BUCKETS[goal], count, days);
};

const evenDates = (count: number, days: readonly string[]): string[] => {
  const rounds = Math.floor(count / days.length);
  const rest = count % days.length;
  const weekdays = days.filter((day) => !isWeekend(day));
  const onWeekdays = Math.min(rest, weekdays.length);
  return [
    ...Array.from({ length: rounds }, () => days).flat(),
    ...spread(onWeekdays, weekdays),
    ...spread(rest - onWeekdays, days.filter(isWeekend)),
  ].sort();
};

const spread = (count: number, days: readonly string[]): string[] =>
  Array.from({ length: count }, (_, index) => days[Math.floor((index * days.length) / count)] ?? '');

type Bucket = { from: number; to: number; share: number };

/** `days` starts at M, or at the first day if M lies before it; that day counts as the moment. */
const bucketDates = (buckets: readonly Bucket[], count: number, days: readonly string[]): string[] => {
  const moment = days[0] ?? '';
  const open = buckets
    .map((bucket) => ({
      share: bucket.share,
      days: days.filter((day) => {
        const after = daysBetween(moment, day);
        return after >= bucket.from && after <= bucket.to;
      }),
    }))
    .filter((bucket) => bucket.days.length > 0);
  const sizes = largestRemainder(
    open.map((bucket) => bucket.share),
    count,
  );

  const most = Math.ceil(DAY_SHARE * count);
  const lines = new Map<string, number>();
  const emptiest = (among: readonly string[]): string | undefined => {
    let best: string | undefined;
    for (const day of among) {
      const held = lines.get(day) ?? 0;
      if (held < most && (best === undefined || held < (lines.get(best) ?? 0))) best = day;
    }
    return best;
  };
  const dates: string[] = [];
  open.forEach((bucket, index) => {
    for (let line = 0; line < (sizes[index] ?? 0); line += 1) {
      const day = emptiest(bucket.days) ?? emptiest(open.flatMap((one) => one.days)) ?? bucket.days[0] ?? moment;
      lines.set(day, (lines.get(day) ?? 0) + 1);
      dates.push(day);
    }
  });
  return dates;
};

export const largestRemainder = (shares: readonly number[], count: number): number[] => {
  const sum = shares.reduce((total, share) => total + share, 0);
  const exact = shares.map((share) => (share * count) / sum);
  const sizes = exact.map(Math.floor);
  const left = count - sizes.reduce((total, size) => total + size, 0);
  const order = exact
    .map((part, index) => ({ index, rest: part - Math.floor(part) }))
    .sort((one, other) => other.rest - one.rest);
  for (const { index } of order.slice(0, left)) sizes[index] = (sizes[index] ?? 0) + 1;
  return sizes;
};
