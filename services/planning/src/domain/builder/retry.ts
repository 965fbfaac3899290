import type { NoPlanReason } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { RETRY_HOUR } from '../constants.js';
import type { Campaign } from '../plan.js';

/** The reasons that a nightly refresh may end (docs/domain/plans.md#plan-builder). */
export const RETRIED: readonly NoPlanReason[] = ['no_candidates', 'budget_too_small'];

/** By the network's time, when the nightly refresh is over. */
export const nextMorning = (networkNow: Date): Date => {
  const today = morningOf(dayOf(networkNow));
  return networkNow < today ? today : morningOf(addDays(dayOf(networkNow), 1));
};

export const retryAt = (noPlan: NoPlanReason | null, networkNow: Date): Date | null =>
  noPlan !== null && RETRIED.includes(noPlan) ? nextMorning(networkNow) : null;

export const restartedBuild = ({
  build,
}: Pick<Campaign, 'build'>): Pick<Campaign, 'build'> & { no_plan: 'building' } => ({
  no_plan: 'building',
  build: build === null ? null : { ...build, retry_at: null },
});

const morningOf = (day: string): Date => new Date(`${day}T${String(RETRY_HOUR).padStart(2, '0')}:00:00.000Z`);
