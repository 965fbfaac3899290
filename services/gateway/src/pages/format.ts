import type { PaymentState } from '@cds/contracts';

/** What a payment state is called on a page (domain 3-orders 7). */
export const STATE_WORDS: Readonly<Record<PaymentState, string>> = {
  unpaid: 'Waiting for payment',
  processing: 'Payment on its way',
  paid: 'Paid',
  partially_refunded: 'Paid, partly refunded',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
};

export const stateWords = (state: string): string => STATE_WORDS[state as PaymentState] ?? state;

/** Cents as "$12,300.00". */
export const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** A calendar day as "28 November 2026". */
export const day = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00.000Z`),
  );
