import { randomUUID } from 'node:crypto';
import { type Audited, type Emitted, isDuplicate, LostRace, type Tx } from '@cds/service';
import { moved, type Order } from '../domain/order.js';
import { type LedgerEntry, stateOf } from '../domain/order-state.js';
import type { NewEntry } from '../domain/payment-event.js';
import { presentOrderChanged } from '../present/order.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';

/** What is booked on an order: the entries, the order after them, and the events and audit entries. */
export type Booking = {
  before: Order;
  after: Order;
  entries: LedgerEntry[];
  events: Emitted[];
  audit: Audited[];
};

/** Who books, when and through which rail. */
export type Booker = { actor: string; rail: string; at: Date };

/**
 * Books new entries on an order: its state derives from the ledger with them, and a move raises the version and emits
 * order.changed. `session` replaces the order's session.
 */
export const bookingOf = (
  order: Order,
  existing: readonly LedgerEntry[],
  added: readonly NewEntry[],
  by: Booker,
  session: Order['session'] = order.session,
): Booking => {
  const entries = added.map(
    (entry, index): LedgerEntry => ({
      _id: randomUUID(),
      ws: order.ws,
      order_id: order._id,
      seq: existing.length + index + 1,
      ...entry,
      rail: by.rail,
      line_id: entry.line_id ?? null,
      actor: by.actor,
      at: by.at,
    }),
  );
  const state = stateOf([...existing, ...entries]);
  const move = state !== order.payment_state;
  const after = { ...(move ? moved(order, state, by.at) : order), session };
  return {
    before: order,
    after,
    entries,
    events: move ? [{ name: 'order.changed', payload: presentOrderChanged(after) }] : [],
    audit: entries.map((entry) => ({
      ws: order.ws,
      actor: by.actor,
      action: `ledger.${entry.kind}`,
      object: order._id,
      payload: { amount_cents: entry.amount_cents, rail_ref: entry.rail_ref, cause: entry.cause },
    })),
  };
};

/** Saves a booking in a transaction; raises LostRace when order or ledger changed since it was decided. */
export const saveBooking = async (
  tx: Tx,
  store: { orders: Orders; ledger: Ledger },
  booking: Booking,
): Promise<void> => {
  await store.orders.save(booking.before, booking.after, tx);
  try {
    await store.ledger.add(tx, booking.entries);
  } catch (error) {
    if (isDuplicate(error)) throw new LostRace('ledger');
    throw error;
  }
};
