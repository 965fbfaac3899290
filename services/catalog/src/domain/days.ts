import { dayOf } from '@cds/service/calendar';
import { DAY_MS } from './constants.js';

export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** When the nightly refresh runs, in hours of the UTC day (docs/domain/network.md#imports). */
const REFRESH_HOUR = 3;
const HOUR_MS = DAY_MS / 24;

export const nextRefresh = (now: Date): Date => {
  const today = startOf(dayOf(now)).getTime() + REFRESH_HOUR * HOUR_MS;
  return new Date(now.getTime() < today ? today : today + DAY_MS);
};
