/** Calendar days of the network: UTC days as 'YYYY-MM-DD', which compare as text (domain 1-network, opening). */
import { DAY_MS } from './constants.js';

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first instant of a day. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

export const addDays = (day: string, days: number): string => dayOf(new Date(startOf(day).getTime() + days * DAY_MS));

/** Whole days from one day to another; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  (startOf(to).getTime() - startOf(from).getTime()) / DAY_MS;

/** The hour of the nightly refresh, UTC (section 12). */
const REFRESH_HOUR = 3;
const HOUR_MS = DAY_MS / 24;

/** The next 03:00 UTC after a time. */
export const nextRefresh = (now: Date): Date => {
  const today = startOf(dayOf(now)).getTime() + REFRESH_HOUR * HOUR_MS;
  return new Date(now.getTime() < today ? today : today + DAY_MS);
};
