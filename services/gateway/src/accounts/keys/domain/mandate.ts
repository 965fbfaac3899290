import type { MandateInput, Problem, Scope } from '@cds/contracts';
import { DAY_MS, MAX_MANDATE_DAYS } from './constants.js';

/** The limits in force on a key, as stored (docs/domain/orders.md#mandate). Every change is a new version. */
export type StoredMandate = {
  version: number;
  max_plan_cents: number;
  monthly_cap_cents: number;
  channels: string[];
  may_approve: boolean;
  expires_at: Date;
  updated_at: Date;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  terms_accepted_email: string | null;
};

export type MandatedKey = { scopes: readonly Scope[]; mandate: StoredMandate | null; mandate_version: number };

export const NO_TERMS = { terms_version: null, terms_accepted_at: null, terms_accepted_email: null } as const;

const termsKept = (key: MandatedKey, mayApprove: boolean) => {
  const { mandate } = key;
  if (!mayApprove || mandate === null || !mandate.may_approve) return NO_TERMS;
  return {
    terms_version: mandate.terms_version,
    terms_accepted_at: mandate.terms_accepted_at,
    terms_accepted_email: mandate.terms_accepted_email,
  };
};

export const mandateProblems = (key: Pick<MandatedKey, 'scopes'>, input: MandateInput, now: Date): Problem[] => {
  const problems: Problem[] = [];
  const ends = Date.parse(input.expires_at);
  if (ends <= now.getTime() || ends > now.getTime() + MAX_MANDATE_DAYS * DAY_MS)
    problems.push({ field: 'expires_at', message: `must be after now and at most ${MAX_MANDATE_DAYS} days ahead` });
  if (input.may_approve && !key.scopes.includes('plans:approve'))
    problems.push({ field: 'may_approve', message: 'must be false for a key without the scope plans:approve' });
  return problems;
};

export const storedLimits = (input: MandateInput, now: Date) => ({
  max_plan_cents: input.max_plan_cents,
  monthly_cap_cents: input.monthly_cap_cents,
  channels: [...input.channels],
  may_approve: input.may_approve,
  expires_at: new Date(input.expires_at),
  updated_at: now,
});

/** The next version of a mandate. Setting `may_approve` to false clears the acceptance of the terms. */
export const nextMandate = (key: MandatedKey, input: MandateInput, now: Date): StoredMandate => ({
  version: key.mandate_version + 1,
  ...storedLimits(input, now),
  ...termsKept(key, input.may_approve),
});
