/** What an operator may change about a creator's status and switches (docs/domain/network.md#status-changes). */
import type { CreatorStatus } from '@cds/contracts';
import { DAY_MS } from '../constants.js';
import type { Creator } from '../creator/creator.js';
import { vettingOf } from './vetting.js';

export const REAPPLY_DAYS = 90;

export type Move = { set: Partial<Creator> } | { illegal: string };

const TO: Readonly<Record<CreatorStatus, readonly CreatorStatus[]>> = {
  not_reviewed: ['approved', 'borderline', 'declined'],
  borderline: ['approved', 'declined'],
  approved: ['borderline', 'declined'],
  declined: ['not_reviewed'],
};

export const vetMove = (creator: Creator, decision: CreatorStatus, now: Date): Move => {
  if (!TO[creator.status].includes(decision))
    return {
      illegal: `A creator with status ${creator.status} cannot become ${decision}. Allowed: ${TO[creator.status].join(', ')}.`,
    };
  const since = creator.decided_at?.getTime() ?? null;
  if (creator.status === 'declined' && since !== null && now.getTime() - since < REAPPLY_DAYS * DAY_MS)
    return { illegal: `A declined creator can be reviewed again ${REAPPLY_DAYS} days after the decision.` };
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

/** Turns a switch. Turning it to the position it is in is refused. `reason` is stored for an exclusion. */
export const switchMove = (creator: Creator, move: CreatorSwitch, reason: string): Move => {
  const pinned = creator.pinned ?? NO_PINS;
  switch (move) {
    case 'pause':
      if (!creator.active && creator.own_pause === true) return { set: { own_pause: false } };
      return creator.active ? { set: { active: false } } : { illegal: 'The creator is already paused.' };
    case 'resume':
      if (creator.active) return { illegal: 'The creator is not paused.' };
      return { set: { active: true, ...(creator.own_pause === true ? { own_pause: false } : {}) } };
    case 'exclude':
      return creator.excluded
        ? { illegal: 'The creator is already excluded.' }
        : { set: { excluded: true, exclusion_reason: reason } };
    case 'include':
      return creator.excluded
        ? { set: { excluded: false, exclusion_reason: null } }
        : { illegal: 'The creator is not excluded.' };
    case 'flag':
      return pinned.flag === true
        ? { illegal: 'The creator is already flagged. Unflag it to end that.' }
        : { set: { flag_inactive: true, pinned: { ...pinned, flag: true } } };
    case 'unflag':
      if (!creator.flag_inactive) return { illegal: 'The creator is not flagged.' };
      // Against a sync's flag, unflagging pins it off; an operator's own flag is unpinned and left to the syncs.
      return { set: { flag_inactive: false, pinned: { ...pinned, flag: pinned.flag === true ? null : false } } };
  }
};
