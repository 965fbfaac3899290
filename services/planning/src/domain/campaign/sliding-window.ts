/** A limit on how often something happens in any window of time (reliability 3.7). */

export type Admission = { at: Date[]; granted: boolean; resets_at: Date | null };

/**
 * The pure twin of the statement that books a start: times older than the window fall out, the start is granted while
 * fewer than `most` are left, and `resets_at` is when the oldest falls out.
 */
export const slidingWindow = (at: readonly Date[], now: Date, windowMs: number, most: number): Admission => {
  const live = at.filter((time) => time.getTime() > now.getTime() - windowMs);
  const granted = live.length < most;
  const oldest = live.reduce<Date | null>((least, time) => (least === null || time < least ? time : least), null);
  return {
    at: granted ? [...live, now] : live,
    granted,
    resets_at: oldest === null ? null : new Date(oldest.getTime() + windowMs),
  };
};
