import { Deadline, inTx, type Pauses, type RowRunner, type Sweep, type Tx } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import { accountOfOrder, type Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { NewEntry } from '../domain/payment-event.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import { type Booking, bookingOf, retryOrderRaces, saveBooking } from './booking.js';
import type { Checkout } from './checkout.js';

export type UnpaidEndDependencies = Pick<Dependencies, 'store' | 'outbox' | 'audit'> & {
  orders: Orders;
  ledger: Ledger;
  authorities: Authorities;
  checkout: Checkout;
};

const CANCEL_MS = 15_000;

/** Live orders end by database time, a sandbox's by its own clock (docs/domain/orders.md#payment-states). */
export const unpaidEnd = (deps: UnpaidEndDependencies, rows: RowRunner): Sweep => {
  const { orders } = deps;
  const end = (find: (without: readonly string[]) => Promise<Order[]>, pauses: Pauses) =>
    rows.run(
      {
        name: 'unpaid orders',
        find,
        idOf: (order) => order._id,
        handle: async (order) => {
          const by = { at: order.pay_expires_at, actor: 'clock', cause: 'unpaid' };
          return (await cancelUnpaid(deps, order, by)) ? 1 : 'done';
        },
      },
      pauses,
    );

  return {
    name: 'unpaid orders',
    everyMs: 5_000,
    run: async (time, only) => {
      if (only !== null) return end((without) => orders.unpaidOf(only, time.of(only), without), 'ignored');
      let ended = await end((without) => orders.unpaidLive(time.network, without), 'kept');
      for (const { ws, due_at } of await orders.sandboxesUnpaid(time.horizon)) {
        const until = time.of(ws);
        if (due_at <= until) ended += await end((without) => orders.unpaidOf(ws, until, without), 'kept');
      }
      return ended;
    },
  };
};

type CancelledBy = { at: Date; actor: string; cause: string };

export const cancelBooking = (order: Order, existing: readonly LedgerEntry[], by: CancelledBy): Booking => {
  const entries: NewEntry[] = [
    { kind: 'cancel', amount_cents: 0, rail_ref: order._id, cause: by.cause },
    { kind: 'give_back', amount_cents: order.total_cents, rail_ref: order._id, cause: by.cause },
  ];
  const books = { order, entries: existing, credits: [] };
  return bookingOf(books, { entries }, { actor: by.actor, rail: order.rail, at: by.at });
};

/** Raises LostRace. */
export const saveCancel = async (
  tx: Tx,
  { orders, ledger, authorities }: Pick<UnpaidEndDependencies, 'orders' | 'ledger' | 'authorities'>,
  booking: Booking,
): Promise<void> => {
  const { before: order } = booking;
  await saveBooking(tx, { orders, ledger }, booking);
  await authorities.giveBack(tx, order.ws, accountOfOrder(order), order.month, order.total_cents);
};

export const cancelUnpaid = async (
  { store, outbox, audit, orders, ledger, authorities, checkout }: UnpaidEndDependencies,
  found: Order,
  by: CancelledBy,
): Promise<boolean> =>
  retryOrderRaces(async () => {
    const current = await orders.byId(found.ws, found._id);
    if (current === null || current.payment_state !== 'unpaid') return false;
    const order = await checkout.close(current);
    const booking = cancelBooking(order, await ledger.of(order.ws, order._id), by);
    const at = await store.now();

    await inTx(store, Deadline.in(CANCEL_MS), async (tx) => {
      await saveCancel(tx, { orders, ledger, authorities }, booking);
      await outbox.add(tx, booking.events, at);
      await audit.add(tx, booking.audit, at);
    });
    return true;
  });
