import { conflict, notFound, type OpsOrder, unprocessable } from '@cds/contracts';
import { actorOf, type Change, change, type WriteHandler } from '@cds/service';
import { isNamedAlike, isOfPayment, keptRefunds, refundNameOf, returnOf, TRANSFER } from '../domain/refund.js';
import { cameBackIn, followed, withRepaidBy } from '../domain/returned.js';
import { bookingOf, saveBooking } from '../payment/booking.js';
import { presentOpsOrder } from '../present/books.js';
import { railKeyOfPayment } from '../rails/invoice/invoice.js';
import { INVOICE_RAIL } from '../rails/invoice/invoice-rail.js';
import type { Invoices } from '../rails/invoice/invoices.js';
import type { OpsRefundDeps } from './ops-order-refund.js';

/**
 * Only for the team's own transfers. Raises not_found, unprocessable, conflict. Source: docs/domain/orders.md#refunds.
 */
export const opsOrderRefundReturned: WriteHandler<
  'ops_order_refund_returned',
  OpsRefundDeps & { invoices: Invoices }
> = async (ctx, { id, refund_id, reason }, deps): Promise<Change<OpsOrder>> => {
  const booked = await deps.books.ofAny(id);
  if (booked === null) throw notFound('order');
  const { order, entries, credits, openRefunds } = booked;
  if (!entries.some(({ _id, kind }) => _id === refund_id && (kind === 'refund' || kind === 'stray_refund')))
    throw unprocessable([{ field: 'refund_id', message: 'must be a refund of the order' }]);
  const refund = keptRefunds(entries).find(({ _id }) => _id === refund_id);
  if (refund === undefined)
    throw conflict('bad_state', 'This refund came back already, and is booked so.', {
      payment_state: order.payment_state,
    });
  if (refund.rail !== TRANSFER && refund.rail !== INVOICE_RAIL)
    throw conflict('bad_state', `The rail ${refund.rail} reports by itself when a refund comes back.`, {
      rail: refund.rail,
    });

  const asked = await deps.refunds.of(order.ws, order._id);
  // A transfer comes back in one piece, even if part of it was booked as excess.
  const made = keptRefunds(entries)
    .filter(({ rail_ref }) => isNamedAlike(rail_ref, refundNameOf(refund.rail_ref)))
    .map((one) => returnOf(one, one.kept_cents, 'team', entries));
  const by = { actor: actorOf(ctx), rail: refund.rail, at: booked.now };
  const before = { order, entries, credits: withRepaidBy(credits, asked), openRefunds };
  const after = followed(before, made, by);
  const lost = cameBackIn(
    made,
    asked.filter(({ state }) => state === 'done'),
  );
  const booking = bookingOf(booked, after, by);
  const shown = {
    ...booked,
    order: booking.after,
    entries: [...entries, ...booking.entries],
    credits: after.credits,
  };
  return change(presentOpsOrder(shown), {
    save: async (tx) => {
      await saveBooking(tx, deps, booking);
      await deps.credits.change(tx, credits, after.credits);
      for (const { _id, payment } of lost) {
        await deps.refunds.cameBack(tx, _id);
        if (refund.rail === INVOICE_RAIL && isOfPayment(refund, payment))
          await deps.invoices.refundCameBack(tx, order.ws, railKeyOfPayment(payment), _id);
      }
    },
    events: booking.events,
    audit: [
      ...booking.audit,
      {
        ws: order.ws,
        actor: by.actor,
        action: 'refund.returned',
        object: order._id,
        reason,
        payload: { refund: refund_id, amount_cents: made.reduce((sum, one) => sum + one.amount_cents, 0) },
      },
    ],
  });
};
