import type { Credit } from '../../domain/credit.js';
import type { Order } from '../../domain/order.js';
import type { LedgerEntry } from '../../domain/order-state.js';
import { creditsPaidBy, isNamedAlike, type Refund, refundRefOf, refundRefOfReturn } from '../../domain/refund.js';

type Returned = {
  orders: readonly Pick<Order, '_id' | 'refunding' | 'lines'>[];
  ledger: readonly Pick<LedgerEntry, 'order_id' | 'rail_ref' | 'kind' | 'amount_cents'>[];
  refunds: readonly Refund[];
  credits: readonly Credit[];
};

/**
 * What is wrong with repayments and credits, a sentence each (I21, I75, docs/domain/orders.md#refunds): a repayment is
 * in the ledger once it is done, with a counter-entry once it came back; a credit is refunded by one repayment, or by a
 * refund made at the rail; a line's credits stay within its price.
 */
export const wrongInRepayments = (returned: Returned): string[] => [
  ...bookedOnce(returned),
  ...atTheirRail(returned),
  ...paidOut(returned),
  ...withinPrices(returned),
];

const bookedOnce = ({ ledger, refunds }: Returned): string[] =>
  refunds.flatMap((refund) => {
    const booked = ledger.filter(
      (one) => one.order_id === refund.order_id && isNamedAlike(refundRefOfReturn(one.rail_ref), refundRefOf(refund)),
    );
    const cents = booked.reduce((sum, one) => sum - one.amount_cents, 0);
    const isBooked = booked.length > 0;
    const isRight = {
      open: !isBooked,
      failed: !isBooked,
      done: cents === refund.amount_cents,
      returned: isBooked && cents === 0,
    }[refund.state];
    return isRight ? [] : [`I75: repayment ${refund._id} is ${refund.state} and has ${cents} cents in the ledger`];
  });

const atTheirRail = ({ orders, refunds }: Returned): string[] => {
  const open = new Set(refunds.filter(({ state }) => state === 'open').map(({ _id }) => _id));
  return orders
    .filter(({ refunding }) => refunding != null && !open.has(refunding))
    .map(({ _id, refunding }) => `I21: order ${_id} waits for repayment ${refunding}, which is not open`);
};

const paidOut = ({ ledger, refunds, credits }: Returned): string[] => [
  ...credits
    .flatMap(({ _id, order_id, state, repaid_by }) => {
      const paid = refunds.filter((one) => one.state === 'done' && creditsPaidBy(one).includes(_id));
      const byHand =
        ledger.some((one) => one.order_id === order_id && one.rail_ref === repaid_by && one.kind === 'refund') &&
        !refunds.some((one) => refundRefOf(one) === repaid_by);
      return state === 'refunded'
        ? paid.length === 1 || (paid.length === 0 && byHand)
          ? []
          : [_id]
        : paid.map(() => _id);
    })
    .map((id) => `I21: credit ${id} is not paid out by one repayment as it says`),
  ...refunds.flatMap((refund) => {
    const paid = credits.filter(({ _id }) => creditsPaidBy(refund).includes(_id));
    const cents = paid.reduce((sum, one) => sum + one.amount_cents, 0);
    const entry = ledger.find(({ kind, rail_ref }) => kind === 'refund' && rail_ref === refundRefOf(refund));
    const own = -(entry?.amount_cents ?? 0);
    return refund.state !== 'done' || paid.length === 0 || (cents === own && own <= refund.amount_cents)
      ? []
      : [`I21: repayment ${refund._id} pays credits of ${cents} cents with ${own} of ${refund.amount_cents}`];
  }),
];

const withinPrices = ({ orders, credits }: Returned): string[] =>
  orders.flatMap(({ _id, lines }) =>
    lines
      .filter(({ line_id, price_cents }) => {
        const own = credits.filter((one) => one.order_id === _id && one.line_id === line_id && one.state !== 'waived');
        return own.reduce((sum, one) => sum + one.amount_cents, 0) > price_cents;
      })
      .map(({ line_id }) => `I21: line ${line_id} of order ${_id} has credits above its price`),
  );
