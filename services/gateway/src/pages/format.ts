import type { PaymentState } from '@cds/contracts';

/** The labels of payment states on pages (docs/domain/orders.md#payment-states). */
export const STATE_LABELS: Readonly<Record<PaymentState, string>> = {
  unpaid: 'Waiting for payment',
  processing: 'Payment processing',
  paid: 'Paid',
  partially_refunded: 'Partially refunded',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
};

export const stateLabel = (state: string): string => STATE_LABELS[state as PaymentState] ?? state;

/** Cents as "$12,300.00". */
export const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** A calendar day as "28 November 2026". */
export const day = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00.000Z`),
  );
