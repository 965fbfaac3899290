import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Audited, Deadline, type Emitted, isDuplicate, LostRace, retryLostRaces, type Tx } from '@cds/service';
import type { Credit } from '../domain/credit.js';
import { moved, type Order } from '../domain/order.js';
import { type LedgerEntry, stateOf } from '../domain/order-state.js';
import type { NewEntry } from '../domain/payment-event.js';
import { type Books, presentOrderChanged } from '../present/books.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';

export type Booking = {
  before: Order;
  after: Order;
  entries: LedgerEntry[];
  events: Emitted[];
  audit: Audited[];
};

export type Booker = { actor: string; rail: string; at: Date };

type Booked = { entries?: readonly NewEntry[]; credits?: readonly Credit[]; order?: Order };

/** If anything changes that the event states, the version rises and order.changed follows. */
export const bookingOf = (before: Books, { entries: added = [], ...booked }: Booked, by: Booker): Booking => {
  const { order, credits } = before;
  const existing = before.entries;
  const entries = added.map(
    (entry, index): LedgerEntry => ({
      _id: randomUUID(),
      ws: order.ws,
      order_id: order._id,
      seq: existing.length + index + 1,
      ...by,
      ...entry,
      line_id: entry.line_id ?? null,
    }),
  );
  const all = [...existing, ...entries];
  const state = stateOf(all);
  const kept = booked.order ?? order;
  const after = {
    order: state === order.payment_state ? kept : moved(kept, state, by.at),
    entries: all,
    credits: booked.credits ?? credits,
  };
  const changes = !isDeepStrictEqual(presentOrderChanged(before), presentOrderChanged(after));
  const next = changes ? { ...after.order, version: order.version + 1 } : after.order;
  return {
    before: order,
    after: next,
    entries,
    events: changes ? [{ name: 'order.changed', payload: presentOrderChanged({ ...after, order: next }) }] : [],
    audit: entries.map((entry) => ({
      ws: order.ws,
      actor: by.actor,
      action: `ledger.${entry.kind}`,
      object: order._id,
      payload: { amount_cents: entry.amount_cents, rail_ref: entry.rail_ref, cause: entry.cause },
    })),
  };
};

/** Raises LostRace when order or ledger changed since the decision. */
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

/** The payer, the rail and the sweeps may all change one order at the same moment. */
const TRIES = 8;

export const retryOrderRaces = <T>(attempt: () => Promise<T>): Promise<T> =>
  retryLostRaces(Deadline.current(), attempt, TRIES);
