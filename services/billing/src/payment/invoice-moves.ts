import { type Ctx, LostRace, type Tx } from '@cds/service';
import type { Session } from '../domain/order.js';
import { decideEvent } from '../domain/payment-event.js';
import { tasksOf } from '../domain/tasks.js';
import type { Books } from '../present/books.js';
import { type InvoiceMove, type InvoiceRow, moveInvoice } from '../rails/invoice/invoice.js';
import { INVOICE_RAIL, type InvoiceRail, requestedInvoice, unnamedDetails } from '../rails/invoice/invoice-rail.js';
import type { Invoices } from '../rails/invoice/invoices.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { PaymentEvents } from '../store/payment-events.js';
import { type Booking, bookingOf, saveBooking } from './booking.js';
import { nextSession, payableSession } from './checkout.js';
import type { Receiver } from './receiver.js';

export type InvoiceMoveDeps = {
  orders: Orders;
  ledger: Ledger;
  events: PaymentEvents;
  invoices: Invoices;
  invoiceRail: InvoiceRail;
  receiver: Receiver;
};

export type InvoiceMoved = {
  invoice: InvoiceRow;
  booking: Booking;
  tasks: ReturnType<typeof tasksOf>;
  save: (tx: Tx) => Promise<void>;
};

/** Booked in one transaction. Null when the state does not allow the move, and for a transfer booked already. */
export const movedInvoice = async (
  ctx: Ctx,
  { order, entries, credits }: Books,
  asked: InvoiceMove,
  deps: InvoiceMoveDeps,
): Promise<InvoiceMoved | null> => {
  if (order.rail !== 'invoice') return null;
  const isPayable = order.payment_state === 'unpaid' || order.payment_state === 'processing';
  const known = isPayable ? payableSession(order) : order.session;
  const before = known === null ? null : await deps.invoices.byKey(order.ws, known.rail_key);
  // An order that cannot be paid any more gets no invoice; for its last invoice, only money still counts.
  if (!isPayable && (before === null || asked.kind !== 'pay')) return null;
  const move: InvoiceMove =
    asked.kind === 'pay' && before?.state === 'withdrawn' ? { ...asked, kind: 'pay_late' } : asked;
  const session = known ?? nextSession(order, ctx.networkNow);
  const moved = moveInvoice(
    before ?? requestedInvoice(order, session.rail_key, unnamedDetails(order), ctx.now),
    move,
    ctx.now,
  );
  if (moved === null) return null;

  const delivery = deps.invoiceRail.deliver(moved.event, ctx.networkNow);
  const event = deps.receiver.open(INVOICE_RAIL, delivery, ctx.networkNow);
  const open: Session = { ...session, state: 'open' };
  const decision = decideEvent({ ...order, session: open }, entries, event);
  if (decision.kind !== 'apply') throw new LostRace('invoice');

  const after: Session = decision.closesSession ? { ...open, state: 'closed' } : open;
  const by = { actor: `rail:${INVOICE_RAIL}`, rail: INVOICE_RAIL, at: ctx.now };
  const booking = bookingOf(
    { order, entries, credits },
    { entries: decision.entries, order: { ...order, session: after, generation: session.generation } },
    by,
  );
  return {
    invoice: moved.invoice,
    booking,
    tasks: tasksOf(order, booking.entries, event, false),
    save: async (tx) => {
      await deps.invoices.save(before, moved.invoice, tx);
      await deps.events.applyFresh(tx, INVOICE_RAIL, event, ctx.networkNow);
      await saveBooking(tx, deps, booking);
    },
  };
};
