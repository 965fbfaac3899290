import { addDays, daysBetween } from '@cds/service/calendar';

export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, offset) => addDays(from, offset));

export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(day).getUTCDay());

export const laterOf = (one: string, other: string): string => (one > other ? one : other);

export const earlierOf = (one: string, other: string): string => (one < other ? one : other);
