import { addDays, daysBetween } from '@cds/service/calendar';

/** Every day from one to another, both included; empty when `to` is earlier. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, offset) => addDays(from, offset));

/** Whether a day is a Saturday or a Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** The later of two days. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** The earlier of two days. */
export const earlierOf = (one: string, other: string): string => (one < other ? one : other);
