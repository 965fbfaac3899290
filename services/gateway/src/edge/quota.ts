import { AppError, LIMITS, secondsUntil } from '@cds/contracts';
import type { Quota, Used } from './store/quotas.js';

const DAY_MS = 86_400_000;

export type NamedQuota = Quota & { reason: string; scope: string; has: string };

/** The writes of a key and of its children in a UTC day (docs/domain/requests.md#limits). */
export const WRITE_QUOTA: NamedQuota = {
  name: 'writes',
  limit: LIMITS.daily_writes.limit,
  spanMs: DAY_MS,
  daily: true,
  reason: 'daily_writes',
  scope: 'key',
  has: `key has already sent ${LIMITS.daily_writes.limit} writes today`,
};

export const checkQuota = (used: Used, { reason, scope, limit, has }: NamedQuota): void => {
  if (!used.refused) return;
  const seconds = Math.max(1, secondsUntil(used.resetsAt, used.seenAt));
  throw new AppError('rate_limited', `This ${has}. Try again in ${seconds} s.`, {
    reason,
    scope,
    limit,
    resets_at: used.resetsAt.toISOString(),
    retry_after: seconds,
  });
};
