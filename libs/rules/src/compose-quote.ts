import type { Mandate, PaymentOption, Principal, Quote, QuoteFacts, QuotePart } from '@cds/contracts';

const NO_TERMS = { terms_version: null, terms_accepted_at: null, terms_accepted_email: null } as const;

/**
 * The asking key's mandate as the Mandate resource; null if none is set (docs/specification.md#mandate). A person signs
 * under their own acceptance of the terms, which is not shown in the mandate of the own agent key.
 */
export const presentMandate = (principal: Principal, spentCents: number): Mandate | null => {
  if (principal.mandate === null) return null;
  const {
    version,
    max_plan_cents,
    monthly_cap_cents,
    channels,
    may_approve,
    expires_at,
    updated_at,
    terms_version,
    terms_accepted_at,
    terms_accepted_email,
  } = principal.person === undefined ? principal.mandate : { ...principal.mandate, ...NO_TERMS };
  return {
    key_id: principal.key,
    version,
    max_plan_cents,
    monthly_cap_cents,
    channels,
    may_approve,
    may_exceed_budget: false,
    expires_at,
    updated_at,
    spent_this_month_cents: spentCents,
    terms_version,
    terms_accepted_at,
    terms_accepted_email,
  };
};

/** The ways to pay a total, in their order (docs/domain/orders.md#payment-options). */
const optionsFor = (
  { payment_options: options, cards_begin_at_cents: begin = 0, cards_end_at_cents: end }: QuoteFacts,
  totalCents: number,
): PaymentOption[] =>
  options.filter(
    ({ rail }) => rail !== 'checkout' || (totalCents >= begin && totalCents <= (end ?? Number.POSITIVE_INFINITY)),
  );

/** The rail that approve takes by default for a total. */
const agentPaymentOf = (facts: QuoteFacts, totalCents: number): Quote['agent_payment'] =>
  optionsFor(facts, totalCents).some(({ rail }) => rail === 'checkout') ? facts.agent_payment : 'team_invoice';

/**
 * Joins planning's and billing's parts into the Quote of the asking key (docs/specification.md#quote). The read, the
 * edits and approve all use this function, so that their quotes cannot differ.
 */
export const composeQuote = (part: QuotePart, facts: QuoteFacts, principal: Principal): Quote => ({
  plan_id: part.plan_id,
  campaign_id: part.campaign_id,
  version: part.version,
  status: part.status,
  currency: part.currency,
  launch_window_start: part.launch_window_start,
  launch_window_end: part.launch_window_end,
  terms_fingerprint: part.terms_fingerprint,
  total_cents: part.total_cents,
  totals: part.totals,
  lines: part.lines,
  payment_options: optionsFor(facts, part.total_cents),
  agent_payment: agentPaymentOf(facts, part.total_cents),
  brand_terms: {
    current_version: facts.current_terms?.version ?? null,
    current_number: facts.current_terms?.number ?? null,
    url: facts.terms_url,
    accepted_for_this_key: principal.mandate?.terms_version ?? null,
    accepted_number_for_this_key: facts.accepted_terms_number,
  },
  mandate: presentMandate(principal, facts.spent_this_month_cents),
  policy: part.policy,
  blocked_lines: part.blocked_lines,
  over_budget: part.over_budget,
  order:
    facts.order === null
      ? null
      : { ...facts.order, payment: principal.scopes.includes('plans:approve') ? facts.order.payment : null },
  valid_while: 'terms_fingerprint_unchanged',
  ...(part.notes === undefined ? {} : { notes: part.notes }),
});
