import type { AttemptProblem, WebhookCause } from '@cds/contracts';

// When a delivery is tried again, and when its endpoint is given up (docs/domain/events.md#webhooks).

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The pauses after the first failures; every further one takes from 10 to 14 hours. */
const FIRST_PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS] as const;
const LATER_MS = { from: 10 * HOUR_MS, to: 14 * HOUR_MS } as const;

/** How long an event is tried, from its first attempt to its last. */
export const TRIED_MS = 72 * HOUR_MS;

export type AttemptOutcome = { status: number | null; problem: AttemptProblem | null };

/** How often a delivery was tried before this attempt, since when, and since when its endpoint only fails. */
export type Tried = { tries: number; firstAt: Date; failingSince: Date | null };

export type AfterFailure = { at: Date } | { because: WebhookCause };

/** What the status of an answer means: 2xx is a success, and a redirect is never followed. */
export const outcomeOf = (status: number): AttemptOutcome => {
  if (status >= 200 && status < 300) return { status, problem: null };
  return { status, problem: status >= 300 && status < 400 ? 'redirect' : 'status' };
};

/**
 * When an event is tried again after so many failures, the last of them at `now`; null when its three days are over.
 * `spread` from 0 to 1 chooses among the later pauses. The last attempt falls on the end of the three days.
 */
export const retryAt = (tries: number, firstAt: Date, now: Date, spread: number): Date | null => {
  const end = firstAt.getTime() + TRIED_MS;
  if (now.getTime() >= end) return null;
  const pause = FIRST_PAUSES_MS[tries - 1] ?? LATER_MS.from + Math.round(spread * (LATER_MS.to - LATER_MS.from));
  return new Date(Math.min(now.getTime() + pause, end));
};

/**
 * What follows a failure: the event is tried again, or its endpoint is disabled, at once after 410 Gone, and otherwise
 * once an event was tried for three days, or nothing has succeeded for as long.
 */
export const afterFailure = (
  { status }: AttemptOutcome,
  { tries, firstAt, failingSince }: Tried,
  now: Date,
  spread: number,
): AfterFailure => {
  if (status === 410) return { because: 'gone' };
  const failing = failingSince !== null && now.getTime() - failingSince.getTime() >= TRIED_MS;
  const at = failing ? null : retryAt(tries + 1, firstAt, now, spread);
  return at === null ? { because: 'failing' } : { at };
};
