import { conflict, notFound, type OpsOrder, unprocessable } from '@cds/contracts';
import { actorOf, type Change, change, type WriteHandler } from '@cds/service';
import type { NewEntry } from '../domain/payment-event.js';
import { repayableOf } from '../domain/refund.js';
import { bookingOf, saveBooking } from '../payment/booking.js';
import type { Checkout } from '../payment/checkout.js';
import { presentOpsOrder } from '../present/books.js';
import type { OpsRefundDeps } from './ops-order-refund.js';

/** The surplus stays stray. Raises not_found, unprocessable, conflict. Source: docs/domain/orders.md#payment-states. */
export const opsOrderAcceptPayment: WriteHandler<
  'ops_order_accept_payment',
  OpsRefundDeps & { checkout: Checkout }
> = async (ctx, { id, rail_ref, reason }, deps): Promise<Change<OpsOrder>> => {
  const booked = await deps.books.ofAny(id);
  if (booked === null) throw notFound('order');
  const { entries, openRefunds } = booked;
  const { payment_state: state, total_cents: total } = booked.order;
  if (state !== 'unpaid')
    throw conflict('bad_state', `This order is ${state}, so it awaits no payment. Return the money.`, {
      payment_state: state,
    });
  const stray = repayableOf(entries, openRefunds).find((one) => one.stray && one.payment === rail_ref);
  if (stray === undefined)
    throw unprocessable([{ field: 'rail_ref', message: 'must be a stray charge in the ledger of the order' }]);
  if (stray.left < total)
    throw conflict('bad_state', `Only ${stray.left} of ${total} cents are left of this payment. Return them instead.`, {
      payment_state: state,
    });

  const order = await deps.checkout.close(booked.order);
  const accepted: NewEntry[] = [
    { kind: 'stray_accepted', amount_cents: -total, rail_ref, cause: 'team' },
    { kind: 'charge', amount_cents: total, rail_ref, cause: 'team' },
  ];
  const by = { actor: actorOf(ctx), rail: stray.rail, at: booked.now };
  const booking = bookingOf({ ...booked, order }, { entries: accepted }, by);
  return change(presentOpsOrder({ ...booked, order: booking.after, entries: [...entries, ...booking.entries] }), {
    save: (tx) => saveBooking(tx, deps, booking),
    events: booking.events,
    audit: [
      ...booking.audit,
      { ws: order.ws, actor: by.actor, action: 'payment.accepted', object: order._id, reason, payload: { rail_ref } },
    ],
  });
};
