import type { PaymentState } from '@cds/contracts';

/** The labels of payment states on pages (docs/domain/orders.md#payment-states). */
const STATE_LABELS: Readonly<Record<PaymentState, string>> = {
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

/** Cents of US dollars as "$12,300", or with cents when there are some. */
export const dollars = (cents: number): string => money(cents, 'USD').replace(/\.00$/, '');

const count = new Intl.NumberFormat('en-US');

/** "12,300". */
export const number = (value: number): string => count.format(value);

/** "1 key", "2 keys". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

const utcDay = (date: string): Date => new Date(`${date.slice(0, 10)}T00:00:00.000Z`);

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });

const LONG_DAY = format({ day: 'numeric', month: 'long', year: 'numeric' });
const SHORT_DAY = format({ day: 'numeric', month: 'short' });
const MOMENT = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A calendar day as "28 November 2026". */
export const day = (date: string): string => LONG_DAY.format(utcDay(date));

/** A calendar day as "28 Nov". */
export const shortDay = (date: string): string => SHORT_DAY.format(utcDay(date));

/** An instant as "28 Nov 2026, 14:03:09 UTC". */
export const moment = (at: string): string => `${MOMENT.format(new Date(at))} UTC`;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something happened: "just now", "5 minutes ago", and a day once it is a month old. */
export const ago = (at: string, now: Date): string => {
  const ms = now.getTime() - new Date(at).getTime();
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${plural(Math.floor(ms / MINUTE_MS), 'minute')} ago`;
  if (ms < DAY_MS) return `${plural(Math.floor(ms / HOUR_MS), 'hour')} ago`;
  return ms < 30 * DAY_MS ? `${plural(Math.floor(ms / DAY_MS), 'day')} ago` : day(at);
};

/** Whole days until an instant, rounded up; 0 or less once it has passed. */
export const daysUntil = (at: string, now: Date): number =>
  Math.ceil((new Date(at).getTime() - now.getTime()) / DAY_MS);
