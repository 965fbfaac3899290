/** What creators may do about new proposals to themselves (docs/domain/pages.md#creator-links). */
import type { CreatorPause } from '@cds/contracts';
import type { Creator } from '../creator/creator.js';
import { goneBecause } from '../creator/leaving.js';

export const pauseOf = (creator: Creator): CreatorPause => {
  if (goneBecause(creator) !== null) return 'closed';
  if (creator.active) return 'open';
  return creator.own_pause === true ? 'paused' : 'closed';
};

/** What a creator's own pause or its end sets; null when it is so already or only the team may change it. */
export const ownPauseMove = (creator: Creator, wanted: 'open' | 'paused'): Partial<Creator> | null => {
  const now = pauseOf(creator);
  if (now === wanted || now === 'closed') return null;
  return wanted === 'paused' ? { active: false, own_pause: true } : { active: true, own_pause: false };
};
