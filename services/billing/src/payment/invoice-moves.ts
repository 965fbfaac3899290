import { type Ctx, LostRace, type Tx } from '@cds/service';
import type { Order, Session } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import { decideEvent } from '../domain/payment-event.js';
import { tasksOf } from '../domain/tasks.js';
import type { Books } from '../present/books.js';
import { type InvoiceMove, type InvoiceRow, invoicePaymentOf, moveInvoice } from '../rails/invoice/invoice.js';
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

/** What a move of the team does: the invoice after it, what is booked, with its tasks, and the save of both. */
export type InvoiceMoved = {
  invoice: InvoiceRow;
  booking: Booking;
  tasks: ReturnType<typeof tasksOf>;
  save: (tx: Tx) => Promise<void>;
};

/**
 * The team moves an order's invoice. The rail's event is signed, verified and decided like a delivered one, and booked
 * in the same transaction. An invoice that the payer never asked for is made out to the company. Money for an order
 * that was cancelled meanwhile, or that was paid before, is a stray charge. Null when the order or the invoice does not
 * allow the move, and for a transfer that is booked already.
 */
export const movedInvoice = async (
  ctx: Ctx,
  { order, entries, credits }: Books,
  asked: InvoiceMove,
  deps: InvoiceMoveDeps,
): Promise<InvoiceMoved | null> => {
  const allowed = allowedMove(order, entries, asked);
  if (allowed === null) return null;
  const { move } = allowed;
  const before = allowed.session === null ? null : await deps.invoices.byKey(order.ws, allowed.session.rail_key);
  const session = allowed.session ?? nextSession(order, ctx.networkNow);
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
      await deps.events.applyFresh(tx, INVOICE_RAIL, event, delivery.raw, ctx.networkNow);
      await saveBooking(tx, deps, booking);
    },
  };
};

/** The move that an order allows, and the session of its invoice if it has one; null when it allows none. */
const allowedMove = (
  order: Order,
  entries: readonly LedgerEntry[],
  move: InvoiceMove,
): { move: InvoiceMove; session: Session | null } | null => {
  if (order.rail !== 'invoice') return null;
  if (order.payment_state === 'unpaid' || order.payment_state === 'processing')
    return { move, session: payableSession(order) };
  if (move.kind !== 'pay' || order.session === null) return null;
  return { move: { ...move, kind: lateKindOf(order, entries) }, session: order.session };
};

/** Money for an order that is not payable any more: the first for its invoice, or another. */
const lateKindOf = ({ session }: Order, entries: readonly LedgerEntry[]): 'pay_late' | 'pay_again' => {
  const payment = invoicePaymentOf(session?.rail_key ?? '');
  return entries.some(({ rail_ref, amount_cents }) => rail_ref === payment && amount_cents > 0)
    ? 'pay_again'
    : 'pay_late';
};
