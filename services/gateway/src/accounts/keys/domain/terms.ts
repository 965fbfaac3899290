import type { StoredMandate } from './mandate.js';

/** A person's acceptance of the brand terms for one key (docs/domain/orders.md#brand-terms). */
export type Acceptance = { version: string; email: string };

/** Why an acceptance is refused: another version is current, or the key must not sign. */
export type AcceptanceRefusal = 'terms_superseded' | 'approval_not_allowed';

/** The mandate's next version with the acceptance, or why it is refused. Only the current terms can be accepted. */
export const acceptTerms = (
  mandate: StoredMandate | null,
  mandateVersion: number,
  acceptance: Acceptance,
  currentVersion: string | null,
  now: Date,
): { mandate: StoredMandate } | { refusal: AcceptanceRefusal } => {
  if (acceptance.version !== currentVersion) return { refusal: 'terms_superseded' };
  if (mandate === null || !mandate.may_approve) return { refusal: 'approval_not_allowed' };
  return {
    mandate: {
      ...mandate,
      version: mandateVersion + 1,
      updated_at: now,
      terms_version: acceptance.version,
      terms_accepted_at: now,
      terms_accepted_email: acceptance.email,
    },
  };
};
