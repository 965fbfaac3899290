import { describe, expect, it } from '@jest/globals';
import type { Signed } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

/** docs/domain/events.md#events: who follows an order knows where its money is, though its state stays as it was. */
describe('the events of an order', () => {
  const { billing, stripe, ops, order, paid, refund, settled, isReported, reported } = testLiveOrders('order_events');

  const lineOf = async (one: Signed): Promise<string> => (await order(one.id)).lines[0]?.line_id ?? '';
  /** What the newest event says of the money. */
  const moneyOf = async ({ id }: Signed) => (await reported(id)).at(-1)?.books;
  const newestState = async ({ id }: Signed) => (await reported(id)).at(-1)?.payment_state;

  it('state each repayment, the second as well as the first', async () => {
    const one = await paid();
    for (const cents of [1_000, 2_500, 500]) {
      await refund(one.id, cents);
      await settled();
      await isReported(one.id);
    }
    const books = await moneyOf(one);
    expect(books?.refunds.map(({ amount_cents }) => amount_cents)).toEqual([1_000, 2_500, 500]);
    expect(books).toMatchObject({ received_cents: TOTAL, committed_cents: TOTAL - 4_000, unused_cents: 0 });
    expect((await reported(one.id)).map(({ payment_state }) => payment_state)).toEqual([
      'unpaid',
      'paid',
      ...Array.from({ length: 3 }, () => 'partially_refunded'),
    ]);
  });

  it('state a credit that is asked for, and what becomes of it', async () => {
    const one = await paid();
    await refund(one.id, 3_000, { line_id: await lineOf(one) });
    expect((await reported(one.id)).at(2)).toMatchObject({
      payment_state: 'paid',
      books: { credits: [{ amount_cents: 3_000, cause: 'remedy', state: 'due' }], unused_cents: 3_000 },
    });
    await settled();
    expect(await moneyOf(one)).toMatchObject({ credits: [{ state: 'refunded' }], lines: [{ money: 'refunded' }] });
    await isReported(one.id);
  });

  it('state a credit that the team gives up', async () => {
    const one = await paid();
    await ops('ops_order_cancel', one.id);
    const [made] = (await order(one.id)).credits;
    expect(await moneyOf(one)).toMatchObject({ credits: [{ state: 'due' }], lines: [{ money: 'credited' }] });
    await ops('ops_credit_waive', made?.id ?? '');
    expect(await moneyOf(one)).toMatchObject({ credits: [{ state: 'waived' }], unused_cents: 0 });
    expect(await newestState(one)).toBe('cancelled');
    await isReported(one.id);
  });

  it('state a credit that ends with a repayment that its rail refused', async () => {
    const one = await paid();
    stripe.answers('refuses refunds');
    await refund(one.id, TOTAL, { line_id: await lineOf(one) });
    await settled();
    stripe.answers('well');
    expect(await moneyOf(one)).toMatchObject({ credits: [{ state: 'waived' }], committed_cents: TOTAL });
    await isReported(one.id);
  });

  it('are published again with all of it', async () => {
    const one = await paid();
    await refund(one.id, 1_000);
    await settled();
    const newest = (await reported(one.id)).at(-1);
    const source = billing.parts.republished.find(({ event }) => event === 'order.changed');
    const again = (await source?.page(null, 1_000))?.events.map(({ payload }) => payload);
    expect(again).toContainEqual(newest);
  });
});
