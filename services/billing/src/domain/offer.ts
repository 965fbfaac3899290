import type { PaymentOption, Rail, Switches } from '@cds/contracts';

/** The texts of each rail (docs/domain/orders.md#payment-options). */
export const PAYMENT_OPTIONS: Record<Rail, PaymentOption> = {
  checkout: { rail: 'checkout', label: 'Card checkout', clears: 'At once' },
  invoice: {
    rail: 'invoice',
    label: 'Invoice by bank transfer',
    clears: 'When the team marks it paid, usually 1 to 5 business days',
  },
};

/** A published version of the brand terms and its number. */
export type TermsNumber = { version: string; number: number };

export type Offer = {
  open: boolean;
  options: PaymentOption[];
  agentPayment: 'checkout' | 'team_invoice';
  currentTerms: TermsNumber | null;
};

/**
 * Whether payments are open, and by which rails: the switch is on, a rail is configured and terms are published.
 * Checkout needs Stripe, or a sandbox, whose rail billing plays itself; invoices need the operator's switch. There are
 * no options while payments are closed. Source: docs/domain/orders.md#approve-checks (check 9),
 * docs/domain/orders.md#payment-options.
 */
export const offerOf = (
  hasCheckout: boolean,
  switches: Pick<Switches, 'payments_open' | 'invoice_rail'>,
  terms: readonly TermsNumber[],
): Offer => {
  const rails: Rail[] = [];
  if (hasCheckout) rails.push('checkout');
  if (switches.invoice_rail) rails.push('invoice');
  const currentTerms = terms[0] ?? null;
  const open = switches.payments_open && rails.length > 0 && currentTerms !== null;
  return {
    open,
    options: open ? rails.map((rail) => PAYMENT_OPTIONS[rail]) : [],
    agentPayment: open && rails.includes('checkout') ? 'checkout' : 'team_invoice',
    currentTerms,
  };
};

/** The rail that an approve asked for, or the default (docs/domain/orders.md#approve-request). */
export const railOf = (offer: Offer, asked: Rail | undefined): Rail =>
  asked ?? (offer.agentPayment === 'checkout' ? 'checkout' : 'invoice');
