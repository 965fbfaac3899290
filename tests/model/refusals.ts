import type { Campaign, Key, Plan, Refused, Unit } from './plans.js';

/**
 * How the reference refuses: the mandates of the seeded keys and every check that needs a plan or a campaign alone,
 * written from docs/domain/plans.md#edits and independent of the services.
 */

/** The seeded keys' mandates: `full` signs, until a person changes it, `muted` only writes, `bare` has none. */
export const MAX_PLAN_CENTS = 2_500_000;
export const MONTHLY_CAP_CENTS = 6_000_000;

export const NOT_FOUND: Refused = { status: 404, code: 'not_found' };
export const conflict = (reason: string, numbers: Record<string, unknown> = {}): Refused => ({
  status: 409,
  code: 'conflict',
  reason,
  numbers,
});
export const mandate = (reason: string, numbers: Record<string, unknown> = {}): Refused => ({
  status: 403,
  code: 'mandate_refused',
  reason,
  numbers: { ...numbers, escalate: true },
});

/** Checks 2 to 4 of docs/domain/plans.md#edits. */
export function planRefusal(key: Key, plan: Plan): Refused | null {
  if (plan.signed) return conflict('plan_signed');
  if (plan.campaign.archived) return conflict('archived');
  return key === 'bare' ? mandate('no_mandate') : null;
}

export function campaignRefusal(key: Key, campaign: Campaign | undefined): Refused | null {
  if (campaign === undefined) return NOT_FOUND;
  if (campaign.archived) return conflict('archived');
  return key === 'bare' ? mandate('no_mandate') : null;
}

export function unitRefusal(plan: Plan, unit: Unit | undefined): Refused | null {
  if (unit === undefined) return NOT_FOUND;
  if (!unit.buyable) return { status: 422, code: 'unprocessable' };
  return plan.lines.some((line) => line.creator === unit.creator) ? conflict('already_in_plan') : null;
}

/** The other lines cost what they were added at, and `now` at current prices: for the budget, whichever is more. */
export function amountRefusal(
  { campaign }: Plan,
  others: { cents: number; now: number },
  price: number,
  most: number,
): Refused | null {
  const budget = campaign.budgetCents;
  const due = Math.max(others.cents, others.now);
  if (budget !== null && due + price > budget)
    return conflict('over_budget', {
      budget_cents: budget,
      remaining_cents: Math.max(0, budget - due),
      price_cents: price,
      over_by_cents: due + price - budget,
    });
  const after = others.cents + price;
  return after > most ? overMaxPlan(after, most) : null;
}

export function overMaxPlan(requested: number, most: number): Refused {
  return mandate('over_max_plan_total', {
    limit_cents: most,
    requested_cents: requested,
    over_by_cents: requested - most,
  });
}

export const termsChanged = (plan: Plan): Refused => conflict('terms_changed', { version: plan.version });
