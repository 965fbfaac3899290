import type { NoPlanReason } from '@cds/contracts';
import { RETRY_HOUR } from './constants.js';
import { addDays, dayOf } from './days.js';

/** When the building of a plan is tried again (domain 2-plans 3): what the network lacked may stand there after a night. */

/** The reasons that another night may end. */
export const RETRIED: readonly NoPlanReason[] = ['no_candidates', 'budget_too_small'];

/** The next morning by the network's time, when the nightly refresh is through; null where nothing is tried by night. */
export const retryAt = (noPlan: NoPlanReason | null, networkNow: Date): Date | null => {
  if (noPlan === null || !RETRIED.includes(noPlan)) return null;
  const today = morningOf(dayOf(networkNow));
  return networkNow < today ? today : morningOf(addDays(dayOf(networkNow), 1));
};

const morningOf = (day: string): Date => new Date(`${day}T${String(RETRY_HOUR).padStart(2, '0')}:00:00.000Z`);
