/** Rounded up and at least 1, so that a caller who waits this long finds the limit open. */
export const secondsUntil = (resetsAt: Date, now: Date): number =>
  Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
