import { actorOf, change, listed, type ReadHandler, type WriteHandler } from '@cds/service';
import { endedAs } from '../domain/credit.js';
import { bookingOf, saveBooking } from '../payment/booking.js';
import { presentOpsCredit } from '../present/books.js';
import { dueCreditInBooks, type OpsRefundDeps } from './ops-order-refund.js';

export const opsCreditsList: ReadHandler<'ops_credits_list', Pick<OpsRefundDeps, 'credits'>> = async (
  _ctx,
  input,
  { credits },
) =>
  listed(input, {
    rows: (place, limit) => credits.page(input.state, place, limit),
    placeOf: ({ _id, at }) => ({ at, id: _id }),
    present: presentOpsCredit,
  });

/** Waives a due credit. Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#credits. */
export const opsCreditWaive: WriteHandler<'ops_credit_waive', OpsRefundDeps> = async (ctx, { id, reason }, deps) => {
  const { booked, credit } = await dueCreditInBooks(id, deps);
  const { order } = booked;

  const by = { actor: actorOf(ctx), rail: order.rail, at: booked.now };
  const booking = bookingOf(booked, { credits: endedAs(booked.credits, id, 'waived') }, by);
  return change(presentOpsCredit({ ...credit, state: 'waived' }), {
    save: async (tx) => {
      // Its repayment may be requested at this moment; the order's revision lets one of the two happen.
      await saveBooking(tx, deps, booking);
      await deps.credits.end(tx, id, 'waived');
    },
    events: booking.events,
    audit: [
      {
        ws: order.ws,
        actor: by.actor,
        action: 'credit.waived',
        object: order._id,
        reason,
        payload: { credit: id },
      },
    ],
  });
};
