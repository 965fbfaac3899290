// The checks of approve that a plan's quote also tests, in their order, by the reason that each refuses with
// (docs/domain/orders.md#approve-checks). The fingerprint is checked between the two; only an approve names it.

export const CHECKS_BEFORE_FINGERPRINT = [
  'plan_signed',
  'archived',
  'no_mandate',
  'mandate_expired',
  'channel_not_allowed',
  'approval_not_allowed',
  'terms_not_accepted',
] as const;

export const CHECKS_AFTER_FINGERPRINT = [
  'over_budget',
  'lines_blocked',
  'over_max_plan_total',
  'over_monthly_cap',
] as const;
