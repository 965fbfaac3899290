/** What an operator may move on a creator: the status, and the switches beside it (domain 1-network 5). */
import type { CreatorStatus } from '@cds/contracts';
import { DAY_MS } from '../constants.js';
import type { Creator } from '../creator/creator.js';
import { vettingOf } from './vetting.js';

/** A declined creator may apply anew after so many days (A). */
export const REAPPLY_DAYS = 90;

/** What a move sets, or why it is no move from here. */
export type Move = { set: Partial<Creator> } | { illegal: string };

const TO: Readonly<Record<CreatorStatus, readonly CreatorStatus[]>> = {
  not_reviewed: ['approved', 'borderline', 'declined'],
  borderline: ['approved', 'declined'],
  approved: ['borderline', 'declined'],
  declined: ['not_reviewed'],
};

/** A person's decision about the status; what the newest sync found stays with it as its reason. */
export const vetMove = (creator: Creator, decision: CreatorStatus, now: Date): Move => {
  if (!TO[creator.status].includes(decision))
    return {
      illegal: `A creator that is ${creator.status} cannot become ${decision}; it can become ${TO[creator.status].join(', ')}.`,
    };
  const since = creator.decided_at?.getTime() ?? null;
  if (creator.status === 'declined' && since !== null && now.getTime() - since < REAPPLY_DAYS * DAY_MS)
    return { illegal: `A declined creator is reviewed again ${REAPPLY_DAYS} days after the decision at the earliest.` };
  const review = creator.sync_review;
  return {
    set: {
      status: decision,
      decided_at: now,
      ...(review == null ? {} : { vetting: { ...vettingOf(review), on: now.toISOString().slice(0, 10) } }),
    },
  };
};

export const CREATOR_SWITCHES = ['pause', 'resume', 'exclude', 'include', 'flag', 'unflag'] as const;
export type CreatorSwitch = (typeof CREATOR_SWITCHES)[number];

const NO_PINS = { weights: null, flag: null, language: false } as const;

/** A switch of an operator's; turning one that stands so already is no move. `reason` is kept for an exclusion. */
export const switchMove = (creator: Creator, move: CreatorSwitch, reason: string): Move => {
  const pinned = creator.pinned ?? NO_PINS;
  switch (move) {
    case 'pause':
      return creator.active ? { set: { active: false } } : { illegal: 'The creator is paused already.' };
    case 'resume':
      return creator.active ? { illegal: 'The creator is not paused.' } : { set: { active: true } };
    case 'exclude':
      return creator.excluded
        ? { illegal: 'The creator is excluded already.' }
        : { set: { excluded: true, exclusion_reason: reason } };
    case 'include':
      return creator.excluded
        ? { set: { excluded: false, exclusion_reason: null } }
        : { illegal: 'The creator is not excluded.' };
    case 'flag':
      return pinned.flag === true
        ? { illegal: 'The creator is flagged already, until it is unflagged.' }
        : { set: { flag_inactive: true, pinned: { ...pinned, flag: true } } };
    case 'unflag':
      if (!creator.flag_inactive) return { illegal: 'The creator is not flagged.' };
      // A flag of a sync is held off; an operator's own flag gives way to what syncs find.
      return { set: { flag_inactive: false, pinned: { ...pinned, flag: pinned.flag === true ? null : false } } };
  }
};
