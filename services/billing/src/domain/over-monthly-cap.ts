import type { Refusal } from '@cds/contracts';

/**
 * The refusal when a total exceeds the monthly cap: over_by = spent + requested - limit.
 * Source: docs/domain/orders.md#refusal-details, docs/domain/orders.md#spend; I18.
 */
export const overMonthlyCap = (spentCents: number, requestedCents: number, limitCents: number): Refusal | null => {
  const overByCents = spentCents + requestedCents - limitCents;
  if (overByCents <= 0) return null;
  return {
    code: 'mandate_refused',
    reason: 'over_monthly_cap',
    message:
      "This plan would pass the key's monthly cap. Ask a person of the brand to raise it, or wait for next month.",
    details: {
      escalate: true,
      limit_cents: limitCents,
      spent_cents: spentCents,
      requested_cents: requestedCents,
      over_by_cents: overByCents,
    },
  };
};
