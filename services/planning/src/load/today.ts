import type { Ctx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Today } from '../domain/schedule/window.js';

export const todayOf = ({ now, principal }: Ctx): Today => ({ day: dayOf(now), sandbox: principal.sandbox });
