import type { Ctx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Today } from '../domain/schedule/window.js';

/** The day of a request, by the clock of its workspace. */
export const todayOf = ({ now, principal }: Ctx): Today => ({ day: dayOf(now), sandbox: principal.sandbox });
