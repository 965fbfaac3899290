/** The times it keeps, whether one more was granted, and when the oldest leaves. */
export type Admission = { at: Date[]; granted: boolean; resets_at: Date | null };

/** The reference for the statement that books a campaign start (docs/reliability.md#rolling-limits). */
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
