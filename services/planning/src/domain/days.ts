/** Calendar days in UTC as YYYY-MM-DD: they compare as strings, and arithmetic on them never meets a time zone. */
const DAY_MS = 86_400_000;

/** The UTC day of an instant. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The day `days` after `day`; negative counts go back. */
export const addDays = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS));

/** Days from one day to another; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Every day from one to another, both included; empty when `to` is earlier. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, offset) => addDays(from, offset));

/** Whether a day is a Saturday or a Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** The later of two days. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** The earlier of two days. */
export const earlierOf = (one: string, other: string): string => (one < other ? one : other);

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** "March 2027". */
export const monthAndYear = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`;
