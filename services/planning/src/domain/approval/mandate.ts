import type { PrincipalMandate, Refusal } from '@cds/contracts';

/**
 * A refusal by the key's limits: a person of the brand decides, so each says escalate
 * (docs/domain/orders.md#refusal-details).
 */
export const mandateRefused = (reason: string, message: string, details: Record<string, unknown> = {}): Refusal => ({
  code: 'mandate_refused',
  reason,
  message,
  details: { ...details, escalate: true },
});

/**
 * Whether a key may write at all, and on these channels: no_mandate, mandate_expired, channel_not_allowed, in this
 * order; null when it may (docs/domain/orders.md#mandate-checks, docs/domain/orders.md#refusal-details). Expired from
 * the instant of `expires_at` on.
 */
export const mandateRefusal = (
  mandate: PrincipalMandate | null,
  now: Date,
  channels: readonly string[],
): Refusal | null => {
  if (mandate === null)
    return mandateRefused('no_mandate', 'This key has no mandate. Ask a person of the brand to set one in Developers.');
  if (now.getTime() >= Date.parse(mandate.expires_at))
    return mandateRefused('mandate_expired', "This key's mandate has expired. Ask a person of the brand to renew it.", {
      expired_at: mandate.expires_at,
    });
  const missing = [...new Set(channels)].filter((channel) => !mandate.channels.includes(channel));
  if (missing.length > 0)
    return mandateRefused(
      'channel_not_allowed',
      "This key's mandate does not allow the channel. Ask a person of the brand to add it.",
      { channels: missing },
    );
  return null;
};

/** Refuses a total above the mandate's largest plan; null when it fits. Amounts in US cents. */
export const planTotalRefusal = (mandate: PrincipalMandate, requestedCents: number): Refusal | null =>
  requestedCents <= mandate.max_plan_cents
    ? null
    : mandateRefused(
        'over_max_plan_total',
        "The plan's total would exceed this key's limit for a plan. Remove a creator, or ask the brand to raise it.",
        {
          limit_cents: mandate.max_plan_cents,
          requested_cents: requestedCents,
          over_by_cents: requestedCents - mandate.max_plan_cents,
        },
      );

/** Refuses a total that would exceed the month's cap; null when it fits. Amounts in US cents (I18). */
export const monthlyCapRefusal = (
  mandate: PrincipalMandate,
  spentCents: number,
  requestedCents: number,
): Refusal | null =>
  spentCents + requestedCents <= mandate.monthly_cap_cents
    ? null
    : mandateRefused(
        'over_monthly_cap',
        "The plan's total would exceed this key's monthly cap. Wait for next month, or ask the brand to raise the cap.",
        {
          limit_cents: mandate.monthly_cap_cents,
          spent_cents: spentCents,
          requested_cents: requestedCents,
          over_by_cents: spentCents + requestedCents - mandate.monthly_cap_cents,
        },
      );
