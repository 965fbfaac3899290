// Calendar days in UTC as YYYY-MM-DD: they compare as strings, and arithmetic on them never meets a time zone.

const DAY_MS = 86_400_000;

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The day `days` after `day`; a negative count goes back. */
export const addDays = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS));

/** Days from one day to another; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const monthOf = (day: string): string => MONTHS[Number(day.slice(5, 7)) - 1] ?? '';

export const dayInWords = (day: string): string => `${Number(day.slice(8, 10))} ${monthOf(day)} ${day.slice(0, 4)}`;

export const monthInWords = (day: string): string => `${monthOf(day)} ${day.slice(0, 4)}`;
