import type { BrandOrder } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { anOrder, aRefundedOrder, aWhollyRefundedOrder } from './order.js';

const sum = (cents: readonly number[]): number => cents.reduce((all, one) => all + one, 0);

/** docs/domain/orders.md#payment-states, docs/domain/orders.md#orders-for-brands */
describe('the orders that tests of pages show', () => {
  test.each<[string, BrandOrder]>([
    ['unpaid', anOrder()],
    ['partially refunded', aRefundedOrder()],
    ['refunded', aWhollyRefundedOrder()],
  ])('could be billing’s own: %s', (_name, order) => {
    const refunded = sum(order.refunds.map(({ amount_cents }) => amount_cents));
    expect(order.received_cents).toBe(refunded + order.committed_cents + order.unused_cents);
    expect(sum(order.lines.map(({ price_cents }) => price_cents))).toBe(order.total_cents);
    expect(sum(order.lines.map(({ committed_cents }) => committed_cents))).toBe(order.committed_cents);
    const due = order.credits.filter(({ state }) => state === 'due');
    expect(sum(due.map(({ amount_cents }) => amount_cents))).toBe(order.unused_cents);
    expect(order.paid_at !== null).toBe(order.received_cents > 0);
    // Only the refund of the whole payment is a date of the order.
    expect(order.refunded_at !== null).toBe(refunded > 0 && refunded === order.received_cents);
    const ids = [...order.refunds, ...order.credits].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
