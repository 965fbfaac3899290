import { AppError } from '@cds/contracts';
import { Deadline, inTx, type Sweep, type SweepTime } from '@cds/service';
import type { Order } from '../domain/order.js';
import type { NewEntry } from '../domain/payment-event.js';
import type { Kit } from '../signing/kit.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import { bookingOf, saveBooking } from './booking.js';
import type { Checkout } from './checkout.js';
import { decidedAnew } from './races.js';

export type UnpaidEndParts = { kit: Kit; orders: Orders; ledger: Ledger; authorities: Authorities; checkout: Checkout };

const CANCEL_MS = 15_000;

/**
 * Cancels orders that nobody paid for 14 days (domain 3-orders 7): the session is closed at the rail first, then the
 * order is cancelled and its cents go back once to the month of its approval, in one transaction.
 */
export const unpaidEnd = (parts: UnpaidEndParts): Sweep => ({
  name: 'unpaid orders',
  everyMs: 5_000,
  run: async (time, only) => {
    let cancelled = 0;
    for (const order of await dueOrders(parts.orders, time, only)) {
      try {
        if (await cancelUnpaid(parts, order, { at: order.pay_expires_at, actor: 'clock', cause: 'unpaid' }))
          cancelled += 1;
      } catch (error) {
        const facts = { err: error, order_id: order._id };
        if (error instanceof AppError) parts.kit.log.warn(facts, 'an unpaid order is not cancelled yet');
        else parts.kit.log.error(facts, 'an unpaid order could not be cancelled');
      }
    }
    return cancelled;
  },
});

/** What is due now: live orders by database time, each sandbox's by its own clock. */
const dueOrders = async (orders: Orders, time: SweepTime, only: string | null): Promise<Order[]> => {
  if (only !== null) return orders.unpaidOf(only, time.of(only));
  const due = await orders.unpaidLive(time.network);
  for (const { ws, due_at } of await orders.sandboxesUnpaid(time.horizon)) {
    if (due_at <= time.of(ws)) due.push(...(await orders.unpaidOf(ws, time.of(ws))));
  }
  return due;
};

/** Cancels one unpaid order and answers whether it did; one that moved meanwhile is left to its new state. */
export const cancelUnpaid = async (
  { kit, orders, ledger, authorities, checkout }: UnpaidEndParts,
  found: Order,
  by: { at: Date; actor: string; cause: string },
): Promise<boolean> =>
  decidedAnew(async () => {
    const current = await orders.byId(found.ws, found._id);
    if (current === null || current.payment_state !== 'unpaid') return false;
    const order = await checkout.close(current);
    const standing = await ledger.of(order.ws, order._id);

    const entries: NewEntry[] = [
      { kind: 'cancel', amount_cents: 0, rail_ref: order._id, cause: by.cause },
      { kind: 'give_back', amount_cents: order.total_cents, rail_ref: order._id, cause: by.cause },
    ];
    const booking = bookingOf(order, standing, entries, { actor: by.actor, rail: order.rail, at: by.at });
    const at = await kit.store.now();

    await inTx(kit.store, Deadline.in(CANCEL_MS), async (tx) => {
      await saveBooking(tx, { orders, ledger }, booking);
      await authorities.giveBack(tx, order.ws, order.key_id, order.month, order.total_cents);
      await kit.outbox.add(tx, booking.events, at);
      await kit.audit.add(tx, booking.audit, at);
    });
    return true;
  });
