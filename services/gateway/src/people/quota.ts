import { AppError, LIMITS, secondsUntil } from '@cds/contracts';
import type { Quota, Used } from '../store/quotas.js';

const DAY_MS = 86_400_000;

/** A quota with the words of its refusal. */
export type NamedQuota = Quota & { reason: string; scope: string; has: string };

/** Links for one mailbox, whether or not anybody signs in with it (docs/domain/access.md#sign-in). */
export const MAILBOX_QUOTA: NamedQuota = {
  name: 'mailbox',
  limit: 5,
  spanMs: 15 * 60_000,
  reason: 'sign_in_limit',
  scope: 'mailbox',
  has: 'address was already sent 5 sign-in links within 15 minutes',
};

/** Sign-ups of one client address (docs/domain/access.md#sign-up). */
export const SIGN_UP_QUOTA: NamedQuota = {
  name: 'sign-up',
  limit: 10,
  spanMs: DAY_MS,
  reason: 'sign_up_limit',
  scope: 'address',
  has: 'client address has already made 10 sign-ups within a day',
};

/** Applications of creators from one client address (docs/domain/access.md#creator-applications). */
export const APPLICATION_QUOTA: NamedQuota = {
  name: 'application',
  limit: 10,
  spanMs: DAY_MS,
  reason: 'application_limit',
  scope: 'address',
  has: 'client address has already sent 10 applications within a day',
};

/** Invitations of one brand, since each is a message to a stranger (docs/domain/access.md#members). */
export const INVITATION_QUOTA: NamedQuota = {
  name: 'invitation',
  limit: 50,
  spanMs: DAY_MS,
  reason: 'invitation_limit',
  scope: 'brand',
  has: 'brand has already sent 50 invitations within a day',
};

/** The child keys of a parent, in any 24 hours. */
export const CHILD_KEY_QUOTA: NamedQuota = {
  name: 'child_key',
  limit: 200,
  spanMs: DAY_MS,
  reason: 'child_key_limit',
  scope: 'key',
  has: 'key has already made 200 child keys within 24 hours',
};

/** The writes of a key and of its children in a UTC day (docs/domain/access.md#limits). */
export const WRITE_QUOTA: NamedQuota = {
  name: 'writes',
  limit: LIMITS.daily_writes.limit,
  spanMs: DAY_MS,
  daily: true,
  reason: 'daily_writes',
  scope: 'key',
  has: `key has already sent ${LIMITS.daily_writes.limit} writes today`,
};

/** The feedback of a brand in a UTC day (docs/domain/access.md#tasks-and-feedback). */
export const FEEDBACK_QUOTA: NamedQuota = {
  name: 'feedback',
  limit: LIMITS.daily_feedback.limit,
  spanMs: DAY_MS,
  daily: true,
  reason: 'daily_feedback',
  scope: 'brand',
  has: `brand has already sent ${LIMITS.daily_feedback.limit} messages today`,
};

/** Raises rate_limited when the quota is used up. */
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
