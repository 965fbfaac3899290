import { z } from 'zod';

const DAY = z.iso.date();
const DATE_TIME = z.iso.datetime({ offset: true });

/** Whether a text is a day of the calendar, YYYY-MM-DD; there is no 30 February. */
export const isDay = (text: unknown): text is string => DAY.safeParse(text).success;

/** The moment of an ISO 8601 date-time, seconds and the offset's colon optional; null for 30 February or hour 24. */
export const instantIn = (value: unknown): Date | null => {
  if (typeof value !== 'string') return null;
  const text = value.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  return DATE_TIME.safeParse(text).success ? new Date(text) : null;
};
