import type { LineMoney, OrderLine } from '@cds/contracts';
import { type Credit, committedOf } from './credit.js';
import type { Order } from './order.js';
import { type LedgerEntry, refundedOf, sumOf } from './order-state.js';
import { type KeptRefund, keptRefunds, strayByPayment } from './refund.js';

/** `committed` is what of the line's price is paid for, in US cents. */
export type MoneyOfLine = { line_id: string; money: LineMoney; committed: number };

/** US cents, never below 0. Every cent has one place: received = refunded + committed + unused. */
export type OrderMoney = {
  received: number;
  refunds: readonly KeptRefund[];
  committed: number;
  unused: number;
  stray: number;
  lines: readonly MoneyOfLine[];
};

type Paid = Pick<Order, 'payment_state' | 'paid_at'> & {
  lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[];
};

/** Source: docs/domain/orders.md#orders-for-brands. */
export const moneyOf = (order: Paid, entries: readonly LedgerEntry[], credits: readonly Credit[]): OrderMoney => {
  const received = sumOf(entries, 'charge');
  const refunded = refundedOf(entries);
  const lines = linesOf(order, credits, received - refunded);
  const committed = lines.reduce((sum, line) => sum + line.committed, 0);
  return {
    received,
    refunds: keptRefunds(entries).filter(({ kind }) => kind === 'refund'),
    committed,
    unused: received - refunded - committed,
    // More may have gone back of one payment than was paid; that does not reduce what another has to return.
    stray: strayByPayment(entries).reduce((sum, { cents }) => sum + Math.max(0, cents), 0),
    lines,
  };
};

/** Together the lines never keep more than is left of the payment. */
const linesOf = (order: Paid, credits: readonly Credit[], left: number): MoneyOfLine[] => {
  const before = moneyBefore(order);
  if (before !== null) return order.lines.map(({ line_id }) => ({ line_id, money: before, committed: 0 }));

  const due = credits.reduce((sum, one) => (one.state === 'due' ? sum + one.amount_cents : sum), 0);
  const paidFor = committedOf(order.lines, credits, left - due);
  return order.lines.map(({ line_id, price_cents: price }, at) => {
    const committed = paidFor[at] ?? 0;
    const owes = credits.some((one) => one.line_id === line_id && one.state === 'due');
    return { line_id, money: owes ? 'credited' : committed < price ? 'refunded' : 'committed', committed };
  });
};

const moneyBefore = ({ payment_state, paid_at }: Paid): LineMoney | null => {
  switch (payment_state) {
    case 'unpaid':
    case 'processing':
      return 'awaiting_payment';
    case 'refunded':
      return 'refunded';
    case 'cancelled':
      return paid_at === null ? 'given_back' : null;
    case 'paid':
    case 'partially_refunded':
      return null;
  }
};
