import type { MandateInput, Problem, Scope } from '@cds/contracts';
import { DAY_MS, MAX_CHILD_KEY_DAYS } from './constants.js';
import { NO_TERMS, type StoredMandate, storedLimits } from './mandate.js';

// A child key has what its own row and its parent's row both allow at the time of the request, so nothing that either
// gains or loses later widens it (docs/domain/access.md#child-keys).

export type KeyPowers = {
  scopes: Scope[];
  mandate: StoredMandate | null;
  suspended: boolean;
  offset_ms: number;
};

export const underParent = (child: KeyPowers, parent: KeyPowers): KeyPowers => ({
  scopes: child.scopes.filter((scope) => parent.scopes.includes(scope)),
  mandate: mandateUnder(child.mandate, parent.mandate),
  suspended: child.suspended || parent.suspended,
  // Both follow their workspace's clock; a child made while it moved may be behind.
  offset_ms: Math.max(child.offset_ms, parent.offset_ms),
});

/** The lower of each limit, and the terms accepted for the parent when the child may sign. */
export const mandateUnder = (child: StoredMandate | null, parent: StoredMandate | null): StoredMandate | null => {
  if (child === null || parent === null) return null;
  const signs = child.may_approve && parent.may_approve;
  return {
    version: child.version,
    max_plan_cents: Math.min(child.max_plan_cents, parent.max_plan_cents),
    monthly_cap_cents: Math.min(child.monthly_cap_cents, parent.monthly_cap_cents),
    channels: child.channels.filter((channel) => parent.channels.includes(channel)),
    may_approve: signs,
    expires_at: child.expires_at < parent.expires_at ? child.expires_at : parent.expires_at,
    updated_at: child.updated_at > parent.updated_at ? child.updated_at : parent.updated_at,
    terms_version: signs ? parent.terms_version : null,
    terms_accepted_at: signs ? parent.terms_accepted_at : null,
    terms_accepted_email: signs ? parent.terms_accepted_email : null,
  };
};

export type ChildInput = { scopes: Scope[]; mandate?: MandateInput | undefined; expires_at: string };

export type ParentBounds = { scopes: readonly Scope[]; mandate: StoredMandate | null; expires_at: Date | null };

/**
 * Everything in which a child would be wider than its parent, each with the value and its bound; empty when it can be
 * made. A key ends by database time, a mandate by the workspace's clock.
 */
export const childProblems = (
  parent: ParentBounds,
  input: ChildInput,
  { now, networkNow }: { now: Date; networkNow: Date },
): Problem[] => [
  ...scopeProblems(parent, input),
  ...expiryProblems(parent, input, networkNow),
  ...(input.mandate === undefined ? [] : mandateProblems(parent, input.scopes, input.mandate, now)),
];

const scopeProblems = ({ scopes }: ParentBounds, input: ChildInput): Problem[] => {
  const wider = input.scopes.filter((scope) => !scopes.includes(scope));
  if (wider.length === 0) return [];
  return [{ field: 'scopes', message: `${wider.join(', ')}: this key has only ${scopes.join(', ')}` }];
};

const expiryProblems = ({ expires_at: parentEnds }: ParentBounds, input: ChildInput, networkNow: Date): Problem[] => {
  const last = parentEnds ?? new Date(networkNow.getTime() + MAX_CHILD_KEY_DAYS * DAY_MS);
  const ends = new Date(input.expires_at);
  if (ends > networkNow && ends <= last) return [];
  const bound =
    parentEnds === null
      ? `${last.toISOString()}, ${MAX_CHILD_KEY_DAYS} days ahead`
      : `${last.toISOString()}, when this key ends`;
  return [{ field: 'expires_at', message: `${ends.toISOString()}: must be after now and not after ${bound}` }];
};

const mandateProblems = (
  { mandate: of }: ParentBounds,
  scopes: readonly Scope[],
  input: MandateInput,
  now: Date,
): Problem[] => {
  if (of === null)
    return [
      { field: 'mandate', message: 'must be left out: this key has no mandate that a child could get a part of' },
    ];
  const problem = (field: keyof MandateInput, message: string): Problem => ({ field: `mandate.${field}`, message });
  const above = (field: 'max_plan_cents' | 'monthly_cap_cents'): Problem[] =>
    input[field] <= of[field]
      ? []
      : [problem(field, `${input[field]}: must be at most ${of[field]}, which this key's mandate allows`)];
  const channels = input.channels.filter((channel) => !of.channels.includes(channel));
  const ends = new Date(input.expires_at);
  return [
    ...above('max_plan_cents'),
    ...above('monthly_cap_cents'),
    ...(channels.length === 0
      ? []
      : [problem('channels', `${channels.join(', ')}: this key's mandate allows only ${of.channels.join(', ')}`)]),
    ...(input.may_approve && !of.may_approve
      ? [problem('may_approve', 'true: must be false, since this key may not approve')]
      : []),
    ...(input.may_approve && !scopes.includes('plans:approve')
      ? [problem('may_approve', 'true: must be false for a child without the scope plans:approve')]
      : []),
    ...(ends > now && ends <= of.expires_at
      ? []
      : [
          problem(
            'expires_at',
            `${ends.toISOString()}: must be after now and not after ${of.expires_at.toISOString()}, when this key's mandate ends`,
          ),
        ]),
  ];
};

/** A new child's mandate. The terms are its parent's acceptance, read at each request. */
export const childMandate = (input: MandateInput, now: Date): StoredMandate => ({
  version: 1,
  ...storedLimits(input, now),
  ...NO_TERMS,
});
