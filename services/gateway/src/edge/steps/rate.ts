import { AppError, secondsUntil } from '@cds/contracts';
import type { MinuteWindow } from '../domain/limits.js';
import type { WindowFields } from '../store/windows.js';

/** What a minute window counts: a credential, a child key's parent, or a client address where none is needed. */
export type RateScope = MinuteWindow['scope'];

const COUNTED: Readonly<Record<RateScope, string>> = {
  key: 'This key has used its',
  parent: 'Your parent key and its child keys together have used their',
  session: 'This session has used its',
  address: 'This address has used its',
};

/** A minute window after this request was counted. */
export type Rate = {
  scope: RateScope;
  reason: 'request_rate' | 'guest_rate';
  limit: number;
  left: number;
  resetSeconds: number;
  resetsAt: Date;
  refused: boolean;
};

const MINUTE_MS = 60_000;

export const rateOf = (
  window: WindowFields,
  limit: number,
  scope: RateScope,
  reason: Rate['reason'] = 'request_rate',
): Rate => {
  const resetsAt = new Date(window.win.getTime() + MINUTE_MS);
  return {
    scope,
    reason,
    limit,
    left: Math.max(0, limit - window.n),
    resetSeconds: secondsUntil(resetsAt, window.seen_at),
    resetsAt,
    refused: window.n > limit,
  };
};

/** The window that ends a child key's requests first: its own or its parent's. */
export const tighterOf = (own: Rate, parents: Rate): Rate =>
  parents.refused === own.refused ? (parents.left < own.left ? parents : own) : parents.refused ? parents : own;

/** On every answer once the request was counted, the 429 included (docs/domain/requests.md#every-request). */
export const rateHeaders = (rate: Rate): Record<string, string> => ({
  'RateLimit-Limit': String(rate.limit),
  'RateLimit-Remaining': String(rate.left),
  'RateLimit-Reset': String(rate.resetSeconds),
  'RateLimit-Policy': `"minute";q=${rate.limit};w=60`,
  RateLimit: `"minute";r=${rate.left};t=${rate.resetSeconds}`,
});

/** Step 5: the minute window has room (docs/domain/requests.md#order-of-errors). */
export const checkWindow = (rate: Rate | null): void => {
  if (rate === null || !rate.refused) return;
  const { scope, reason } = rate;
  throw new AppError(
    'rate_limited',
    `${COUNTED[scope]} ${rate.limit} requests of this minute. Send the request again in ${rate.resetSeconds} s.`,
    {
      reason,
      scope,
      limit: rate.limit,
      resets_at: rate.resetsAt.toISOString(),
      retry_after: rate.resetSeconds,
    },
  );
};
