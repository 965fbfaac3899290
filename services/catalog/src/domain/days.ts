/**
 * Calendar days of the network: UTC days as 'YYYY-MM-DD', which compare as text (docs/domain/network.md#the-network).
 */
import { dayOf } from '@cds/service/calendar';
import { DAY_MS } from './constants.js';

/** The first instant of a day. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** When the nightly refresh runs, in hours of the UTC day (docs/domain/network.md#imports). */
const REFRESH_HOUR = 3;
const HOUR_MS = DAY_MS / 24;

/** The next 03:00 UTC after a time. */
export const nextRefresh = (now: Date): Date => {
  const today = startOf(dayOf(now)).getTime() + REFRESH_HOUR * HOUR_MS;
  return new Date(now.getTime() < today ? today : today + DAY_MS);
};
