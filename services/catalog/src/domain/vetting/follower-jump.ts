/** How fast an account grows, from the syncs of one week (docs/domain/network.md#vetting, follower jump). */
import { dayOf } from '@cds/service/calendar';
import { DAY_MS } from '../constants.js';
import type { PastSync } from '../creator/creator.js';

const JUMP_MS = 7 * DAY_MS;

const ofTheWeek = (held: readonly PastSync[], { at: now }: PastSync): PastSync[] =>
  held.filter(({ at }) => at < now && now.getTime() - at.getTime() <= JUMP_MS);

/** The syncs to store after a new one: the first of each day, for a week. */
export const syncsAfter = (held: readonly PastSync[], newest: PastSync): PastSync[] => {
  const kept = ofTheWeek(held, newest);
  const last = kept.at(-1);
  return last !== undefined && dayOf(last.at) === dayOf(newest.at) ? kept : [...kept, newest];
};

export const followerJump = (held: readonly PastSync[], newest: PastSync): number | null => {
  const base = ofTheWeek(held, newest).find(({ followers }) => followers !== null && followers > 0);
  if (!base?.followers || newest.followers === null) return null;
  const grown = (from: number, to: number): number => (100 * (to - from)) / from;
  const jump = Math.max(0, grown(base.followers, newest.followers));
  const views = base.median_views && newest.median_views ? grown(base.median_views, newest.median_views) : 0;
  return views >= jump ? 0 : jump;
};
