import type { NamedQuota } from '../../edge/port.js';

const DAY_MS = 86_400_000;

/** Links for one mailbox, whether or not anybody signs in with it (docs/domain/sign-in.md#sign-in). */
export const MAILBOX_QUOTA: NamedQuota = {
  name: 'mailbox',
  limit: 5,
  spanMs: 15 * 60_000,
  reason: 'sign_in_limit',
  scope: 'mailbox',
  has: 'address was already sent 5 sign-in links within 15 minutes',
};

/** Sign-ups of one client address (docs/domain/sign-in.md#sign-up). */
export const SIGN_UP_QUOTA: NamedQuota = {
  name: 'sign-up',
  limit: 10,
  spanMs: DAY_MS,
  reason: 'sign_up_limit',
  scope: 'address',
  has: 'client address has already made 10 sign-ups within a day',
};

/** Applications of creators from one client address (docs/domain/pages.md#creator-applications). */
export const APPLICATION_QUOTA: NamedQuota = {
  name: 'application',
  limit: 10,
  spanMs: DAY_MS,
  reason: 'application_limit',
  scope: 'address',
  has: 'client address has already sent 10 applications within a day',
};

/** Invitations of one brand, since each is a message to a stranger (docs/domain/sign-in.md#members). */
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
