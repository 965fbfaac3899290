import type { OrderInQuote, QuoteFacts } from '@cds/contracts';
import type { HeldFacts } from '../domain/authority.js';
import type { Offer, TermsNumber } from '../domain/offer.js';

export const termsUrl = (appUrl: string, current: TermsNumber | null): string =>
  current === null ? `${appUrl}/terms/brand` : `${appUrl}/terms/brand/${current.version}`;

export const presentHeldFacts = (
  appUrl: string,
  offer: Offer,
  terms: readonly TermsNumber[],
  acceptedVersion: string | null,
  spent: Pick<HeldFacts, 'spent_cents' | 'parent_spent_cents'>,
): HeldFacts => ({
  payment_options: offer.options,
  agent_payment: offer.agentPayment,
  current_terms: offer.currentTerms,
  accepted_terms_number: terms.find((one) => one.version === acceptedVersion)?.number ?? null,
  terms_url: termsUrl(appUrl, offer.currentTerms),
  ...spent,
});

/** `cards` are the limits of card payments, if the facts are not about one total yet. */
export const presentQuoteFacts = (
  facts: HeldFacts,
  open: boolean,
  order: OrderInQuote | null,
  cards: { mostCents: number | null; leastCents: number } | null = null,
): QuoteFacts => ({
  payment_options: facts.payment_options,
  agent_payment: facts.agent_payment,
  payments_open: open,
  ...(cards != null && cards.mostCents !== null && { cards_end_at_cents: cards.mostCents }),
  ...(cards != null && cards.leastCents > 1 && { cards_begin_at_cents: cards.leastCents }),
  current_terms: facts.current_terms,
  accepted_terms_number: facts.accepted_terms_number,
  terms_url: facts.terms_url,
  spent_this_month_cents: facts.spent_cents,
  ...(facts.parent_spent_cents !== undefined && { parent_spent_cents: facts.parent_spent_cents }),
  order,
});
