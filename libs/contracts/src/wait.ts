/**
 * Whole seconds from now until a limit reopens: `retry_after` and RateLimit-Reset, at least 1. Rounded up, since a
 * caller who waits that long must find the limit open. Source: spec, "Limits"; reliability I42.
 */
export const secondsUntil = (resetsAt: Date, now: Date): number =>
  Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
