import type { NoPlanReason } from '@cds/contracts';
import { RETRY_HOUR } from '../constants.js';
import { addDays, dayOf } from '../days.js';
import type { Campaign } from '../plan.js';

/** When the building of a plan is tried again (domain 2-plans 3): what the network lacked may stand there after a night. */

/** The reasons that another night may end. */
export const RETRIED: readonly NoPlanReason[] = ['no_candidates', 'budget_too_small'];

/** The next morning by the network's time, when the nightly refresh is through. */
export const nextMorning = (networkNow: Date): Date => {
  const today = morningOf(dayOf(networkNow));
  return networkNow < today ? today : morningOf(addDays(dayOf(networkNow), 1));
};

/** The next morning where another night may help; null where nothing is tried by night. */
export const retryAt = (noPlan: NoPlanReason | null, networkNow: Date): Date | null =>
  noPlan !== null && RETRIED.includes(noPlan) ? nextMorning(networkNow) : null;

/** The building of a plan that begins at once: whatever it waited for has changed. */
export const restartedBuild = ({
  build,
}: Pick<Campaign, 'build'>): Pick<Campaign, 'build'> & { no_plan: 'building' } => ({
  no_plan: 'building',
  build: build === null ? null : { ...build, retry_at: null },
});

const morningOf = (day: string): Date => new Date(`${day}T${String(RETRY_HOUR).padStart(2, '0')}:00:00.000Z`);
