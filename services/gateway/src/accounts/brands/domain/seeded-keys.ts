import { type MandateInput, READ_SCOPES, SCOPES, type Scope } from '@cds/contracts';
import { DAY_MS } from '../../keys/domain/constants.js';

/** A key of a development brand. There is one for each way to allow or refuse a request. */
export type SeededKey = { name: string; scopes: readonly Scope[]; mandate: 'signing' | 'writing' | null };

export const SEEDED_KEYS: readonly SeededKey[] = [
  { name: 'full', scopes: SCOPES, mandate: 'signing' },
  { name: 'reader', scopes: READ_SCOPES, mandate: null },
  { name: 'writer', scopes: [...READ_SCOPES, 'campaigns:write'], mandate: 'writing' },
  { name: 'narrow', scopes: ['inventory:read'], mandate: null },
  { name: 'bare', scopes: SCOPES, mandate: null },
  { name: 'muted', scopes: SCOPES, mandate: 'writing' },
];

const MAX_PLAN_CENTS = 2_500_000;
const MONTHLY_CAP_CENTS = 6_000_000;
const LASTS_DAYS = 365;

export const seededMandate = (kind: 'signing' | 'writing', now: Date): MandateInput => ({
  max_plan_cents: MAX_PLAN_CENTS,
  monthly_cap_cents: MONTHLY_CAP_CENTS,
  channels: ['x_creators'],
  may_approve: kind === 'signing',
  expires_at: new Date(now.getTime() + LASTS_DAYS * DAY_MS).toISOString(),
});
