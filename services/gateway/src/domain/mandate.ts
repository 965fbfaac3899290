import { closed, instantInput, integerInput, type Problem, type Scope, saying } from '@cds/contracts';
import { z } from 'zod';
import { DAY_MS, MAX_MANDATE_DAYS, MAX_MONTHLY_CAP_CENTS, MAX_PLAN_CENTS } from './constants.js';

/** The channels that a mandate can name. */
export const MANDATE_CHANNELS = [
  'x_creators',
  'reddit',
  'clipping',
  'linkedin',
  'ugc',
  'newsletter',
  'podcast',
  'other',
] as const;

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

/** The part of a key that decisions about its mandate need. */
export type MandatedKey = { scopes: readonly Scope[]; mandate: StoredMandate | null; mandate_version: number };

const channelsError = saying(`must be 1 or more of ${MANDATE_CHANNELS.join(', ')}, without duplicates`);

/** The input of a mandate. `may_exceed_budget` is retired and no longer accepted. */
export const MandateInput = closed({
  max_plan_cents: integerInput({ min: 1, max: MAX_PLAN_CENTS }),
  monthly_cap_cents: integerInput({ min: 1, max: MAX_MONTHLY_CAP_CENTS }),
  channels: z
    .array(z.enum(MANDATE_CHANNELS, { error: channelsError }), { error: channelsError })
    .min(1, { error: channelsError })
    .refine((channels) => new Set(channels).size === channels.length, { error: channelsError }),
  may_approve: z.boolean({ error: saying('must be true or false') }),
  expires_at: instantInput(),
});
export type MandateInput = z.output<typeof MandateInput>;

const NO_TERMS = { terms_version: null, terms_accepted_at: null, terms_accepted_email: null } as const;

const termsKept = (key: MandatedKey, mayApprove: boolean) => {
  const { mandate } = key;
  if (!mayApprove || mandate === null || !mandate.may_approve) return NO_TERMS;
  return {
    terms_version: mandate.terms_version,
    terms_accepted_at: mandate.terms_accepted_at,
    terms_accepted_email: mandate.terms_accepted_email,
  };
};

/** What is wrong with a well-formed mandate for this key at this time; empty when it can be set. */
export const mandateProblems = (key: Pick<MandatedKey, 'scopes'>, input: MandateInput, now: Date): Problem[] => {
  const problems: Problem[] = [];
  const ends = Date.parse(input.expires_at);
  if (ends <= now.getTime() || ends > now.getTime() + MAX_MANDATE_DAYS * DAY_MS)
    problems.push({ field: 'expires_at', message: `must be after now and at most ${MAX_MANDATE_DAYS} days ahead` });
  if (input.may_approve && !key.scopes.includes('plans:approve'))
    problems.push({ field: 'may_approve', message: 'must be false for a key without the scope plans:approve' });
  return problems;
};

/** The next version of a mandate. Setting `may_approve` to false clears the acceptance of the terms. */
export const nextMandate = (key: MandatedKey, input: MandateInput, now: Date): StoredMandate => ({
  version: key.mandate_version + 1,
  max_plan_cents: input.max_plan_cents,
  monthly_cap_cents: input.monthly_cap_cents,
  channels: [...input.channels],
  may_approve: input.may_approve,
  expires_at: new Date(input.expires_at),
  updated_at: now,
  ...termsKept(key, input.may_approve),
});
