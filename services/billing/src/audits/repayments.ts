import type { Credit } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import { type Refund, refundRefOf } from '../domain/refund.js';

type Returned = {
  orders: readonly Pick<Order, '_id' | 'refunding' | 'lines'>[];
  ledger: readonly Pick<LedgerEntry, 'order_id' | 'rail_ref' | 'kind' | 'amount_cents'>[];
  refunds: readonly Refund[];
  credits: readonly Credit[];
};

/**
 * What is wrong with repayments and credits (I21, docs/domain/orders.md#refunds): a sentence each, none when all is
 * well. A repayment is in the ledger once and exactly when it is done, only an open one is at its rail, a credit is
 * refunded exactly by a repayment that is done, and a line's credits stay within its price.
 */
export const wrongInRepayments = (returned: Returned): string[] => [
  ...bookedOnce(returned),
  ...atTheirRail(returned),
  ...paidOut(returned),
  ...withinPrices(returned),
];

const bookedOnce = ({ ledger, refunds }: Returned): string[] =>
  refunds.flatMap((refund) => {
    const booked = ledger.filter((one) => one.order_id === refund.order_id && one.rail_ref === refundRefOf(refund));
    const wanted = refund.state === 'done' ? [-refund.amount_cents] : [];
    return booked.map(({ amount_cents }) => amount_cents).join() === wanted.join()
      ? []
      : [`I21: repayment ${refund._id} is ${refund.state} and is ${booked.length} times in the ledger`];
  });

const atTheirRail = ({ orders, refunds }: Returned): string[] => {
  const open = new Set(refunds.filter(({ state }) => state === 'open').map(({ _id }) => _id));
  return orders
    .filter(({ refunding }) => refunding != null && !open.has(refunding))
    .map(({ _id, refunding }) => `I21: order ${_id} waits for repayment ${refunding}, which is not open`);
};

const paidOut = ({ refunds, credits }: Returned): string[] =>
  credits.flatMap(({ _id, state, amount_cents }) => {
    const paid = refunds.filter((one) => one.credit_id === _id && one.state === 'done');
    const wanted = state === 'refunded' ? [amount_cents] : [];
    return paid.map((one) => one.amount_cents).join() === wanted.join()
      ? []
      : [`I21: credit ${_id} is ${state} and was paid out ${paid.length} times`];
  });

const withinPrices = ({ orders, credits }: Returned): string[] =>
  orders.flatMap(({ _id, lines }) =>
    lines
      .filter(({ line_id, price_cents }) => {
        const own = credits.filter((one) => one.order_id === _id && one.line_id === line_id && one.state !== 'waived');
        return own.reduce((sum, one) => sum + one.amount_cents, 0) > price_cents;
      })
      .map(({ line_id }) => `I21: line ${line_id} of order ${_id} has credits above its price`),
  );
