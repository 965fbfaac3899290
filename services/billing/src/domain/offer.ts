import type { PaymentOption, Rail, Seller, Switches } from '@cds/contracts';
import { CURRENCY } from './constants.js';

export const PAYMENT_OPTIONS: Record<Rail, PaymentOption> = {
  checkout: { rail: 'checkout', label: 'Card checkout', clears: 'At once' },
  invoice: {
    rail: 'invoice',
    label: 'Invoice by bank transfer',
    clears: 'When the team marks it paid, usually 1 to 5 business days',
  },
};

export type TermsNumber = { version: string; number: number };

export type Checkout = { mostCents: number | null; leastCents: number } | null;

export type Offer = {
  open: boolean;
  options: PaymentOption[];
  agentPayment: 'checkout' | 'team_invoice';
  currentTerms: TermsNumber | null;
  /** Set if the card rail's limits alone rule out cards for the total. */
  cardsEndAt: number | null;
  cardsBeginAt: number | null;
};

/** Without a total every configured rail is offered. Source: docs/domain/orders.md#approve-checks (check 9). */
export const offerOf = (
  checkout: Checkout,
  switches: Pick<Switches, 'payments_open' | 'invoice_rail'>,
  terms: readonly TermsNumber[],
  totalCents: number | null,
): Offer => {
  const most = checkout?.mostCents ?? null;
  const isAboveCards = most !== null && totalCents !== null && totalCents > most;
  const isBelowCards = checkout !== null && totalCents !== null && totalCents < checkout.leastCents;
  const rails: Rail[] = [];
  if (checkout !== null && !isAboveCards && !isBelowCards) rails.push('checkout');
  if (switches.invoice_rail) rails.push('invoice');
  const currentTerms = terms[0] ?? null;
  const mayPay = switches.payments_open && currentTerms !== null;
  const open = mayPay && rails.length > 0;
  return {
    open,
    options: open ? rails.map((rail) => PAYMENT_OPTIONS[rail]) : [],
    agentPayment: open && rails.includes('checkout') ? 'checkout' : 'team_invoice',
    currentTerms,
    cardsEndAt: mayPay && isAboveCards ? most : null,
    cardsBeginAt: mayPay && isBelowCards ? checkout.leastCents : null,
  };
};

const usd = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: CURRENCY });

const OFFERED: Readonly<Record<Rail, string>> = { checkout: 'Card payment', invoice: 'Bank transfer' };
const PAY_BY: Readonly<Record<Rail, string>> = { checkout: 'pay by card', invoice: 'pay by bank transfer' };

export const cardsEnd = (mostCents: number): string => `Card payments end at ${usd(mostCents)}`;
export const cardsBegin = (leastCents: number): string => `Card payments begin at ${usd(leastCents)}`;

export const cardsRefuse = ({
  cardsEndAt,
  cardsBeginAt,
}: Pick<Offer, 'cardsEndAt' | 'cardsBeginAt'>): string | null => {
  if (cardsEndAt !== null) return cardsEnd(cardsEndAt);
  return cardsBeginAt === null ? null : cardsBegin(cardsBeginAt);
};

export const notOffered = (offer: Offer, rail: Rail, seller: Pick<Seller, 'email'>): string => {
  const [other] = offer.options;
  const refused = cardsRefuse(offer);
  const ask = `ask our team at ${seller.email}`;
  if (other === undefined && refused === null) return `Payments are closed at the moment. Try again later, or ${ask}.`;
  const why =
    refused !== null && (rail === 'checkout' || other === undefined)
      ? refused
      : `${OFFERED[rail]} is not offered at the moment`;
  return other === undefined ? `${why}, and no other way to pay is offered: ${ask}.` : `${why}; ${PAY_BY[other.rail]}.`;
};

export const railOf = (offer: Offer, asked: Rail | undefined): Rail =>
  asked ?? (offer.agentPayment === 'checkout' ? 'checkout' : 'invoice');
