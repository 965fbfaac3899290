import { randomUUID } from 'node:crypto';
import { AppError, conflict, notFound, type OpsOrder, unprocessable } from '@cds/contracts';
import {
  actorOf,
  type Change,
  type Client,
  type Ctx,
  change,
  systemContext,
  type Tx,
  type WriteHandler,
} from '@cds/service';
import { amountProblems, type Credit, creditsOfCancel, type SetAmount, withOwed } from '../domain/credit.js';
import { roomForCredits } from '../domain/refund.js';
import { type Booking, bookingOf, saveBooking } from '../payment/booking.js';
import type { Checkout } from '../payment/checkout.js';
import { type InvoiceMoveDeps, movedInvoice } from '../payment/invoice-moves.js';
import { cancelBooking, saveCancel } from '../payment/unpaid-end.js';
import { presentOpsOrder } from '../present/books.js';
import type { Authorities } from '../store/authority.js';
import type { Credits } from '../store/credits.js';
import type { BookedOrder, OrderBooks } from '../store/order-books.js';

export type OpsOrderCancelDeps = InvoiceMoveDeps & {
  books: OrderBooks;
  authorities: Authorities;
  checkout: Checkout;
  credits: Credits;
  planning: Client<'line_cancel_credits'>;
};

type Cancelled = { after: BookedOrder; save: (tx: Tx) => Promise<void>; bookings: readonly Booking[] };

/** Raises not_found, unprocessable (credits), conflict. Source: docs/domain/orders.md#payment-states. */
export const opsOrderCancel: WriteHandler<'ops_order_cancel', OpsOrderCancelDeps> = async (
  ctx,
  { id, reason, credits = [] },
  deps,
): Promise<Change<OpsOrder>> => {
  const booked = await deps.books.ofAny(id);
  if (booked === null) throw notFound('order');
  const { order } = booked;
  const { after, save, bookings } = await cancelled(ctx, booked, credits, deps);
  return change(presentOpsOrder(after), {
    save,
    events: bookings.flatMap((booking) => booking.events),
    audit: [
      ...bookings.flatMap((booking) => booking.audit),
      {
        ws: order.ws,
        actor: actorOf(ctx),
        action: 'order.cancel',
        object: order._id,
        reason,
        payload: {
          credits: after.credits
            .slice(booked.credits.length)
            .map(({ line_id, amount_cents, note }) => ({ line_id, amount_cents, note })),
        },
      },
    ],
  });
};

const cancelled = (
  ctx: Ctx,
  booked: BookedOrder,
  amounts: readonly SetAmount[],
  deps: OpsOrderCancelDeps,
): Promise<Cancelled> => {
  const { payment_state: state } = booked.order;
  switch (state) {
    case 'unpaid':
    case 'processing':
      if (amounts.length > 0) throw unprocessable([{ field: 'credits', message: 'are for paid orders only' }]);
      return unpaid(ctx, booked, deps);
    case 'paid':
    case 'partially_refunded':
      return paid(ctx, booked, amounts, deps);
    case 'refunded':
    case 'cancelled':
      throw conflict('bad_state', `This order is ${state} already.`, { payment_state: state });
  }
};

const unpaid = async (ctx: Ctx, booked: BookedOrder, deps: OpsOrderCancelDeps): Promise<Cancelled> => {
  const reason = 'The order was cancelled.';
  const withdrawn =
    booked.invoice?.state === 'sent'
      ? await movedInvoice({ ...ctx, now: booked.now }, booked, { kind: 'withdraw', reason }, deps)
      : null;
  const order = withdrawn === null ? await closedAtRail(booked, deps) : withdrawn.booking.after;
  const entries = [...booked.entries, ...(withdrawn?.booking.entries ?? [])];
  const before = withdrawn === null ? order : { ...order, rev: order.rev + 1 };
  const booking = cancelBooking(before, entries, { at: booked.now, actor: actorOf(ctx), cause: 'team' });
  return {
    after: {
      ...booked,
      order: booking.after,
      entries: [...entries, ...booking.entries],
      invoice: withdrawn?.invoice ?? closedInvoice(booked),
    },
    save: async (tx) => {
      await withdrawn?.save(tx);
      await saveCancel(tx, deps, booking);
    },
    bookings: withdrawn === null ? [booking] : [withdrawn.booking, booking],
  };
};

const closedInvoice = ({ invoice }: BookedOrder): BookedOrder['invoice'] =>
  invoice?.state === 'requested' ? { ...invoice, state: 'withdrawn' } : invoice;

const closedAtRail = async ({ order }: BookedOrder, { checkout, orders }: OpsOrderCancelDeps) => {
  if (order.payment_state === 'processing' && order.session === null)
    throw conflict('bad_state', 'A payment for this order is on its way. Wait until it has failed or arrived.');
  try {
    return await checkout.close(order);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    const now = await orders.byId(order.ws, order._id);
    if (now !== null && now.paid_at !== null)
      throw conflict('order_paid', 'This order was paid meanwhile. Read it again before you cancel it.', {
        paid_at: now.paid_at.toISOString(),
      });
    throw conflict('bad_state', 'A payment for this order is on its way. Wait until it has failed or arrived.', {
      payment_state: now?.payment_state ?? order.payment_state,
    });
  }
};

/** Every line ends with its credit, and nothing returns to the month of approval. */
const paid = async (
  ctx: Ctx,
  booked: BookedOrder,
  amounts: readonly SetAmount[],
  deps: OpsOrderCancelDeps,
): Promise<Cancelled> => {
  const { order, entries, credits, openRefunds } = booked;
  const problems = amountProblems(order.lines, credits, amounts);
  if (problems.length > 0) throw unprocessable(problems);

  const of = { credits, set: amounts, owed: await owedByLines(ctx, booked, deps) };
  const made = creditsOfCancel(order.lines, of, roomForCredits(entries, credits, openRefunds)).map(
    (credit): Credit => ({
      _id: randomUUID(),
      ws: order.ws,
      order_id: order._id,
      ...credit,
      state: 'due',
      actor: actorOf(ctx),
      at: booked.now,
    }),
  );
  const by = { actor: actorOf(ctx), rail: order.rail, at: booked.now };
  const cancel = { kind: 'cancel' as const, amount_cents: 0, rail_ref: order._id, cause: 'team' };
  // Open repayments may be refused, which leaves room for all of it.
  const owed = creditsOfCancel(order.lines, of, roomForCredits(entries, credits, []));
  const noted = withOwed(
    order,
    owed.map(({ line_id, cause, amount_cents }) => ({ line_id, cause, amount_cents, at: booked.now })),
  );
  const all = [...credits, ...made];
  const booking = bookingOf(booked, { entries: [cancel], credits: all, order: noted }, by);
  return {
    after: {
      ...booked,
      order: booking.after,
      entries: [...entries, ...booking.entries],
      credits: all,
    },
    save: async (tx) => {
      await saveBooking(tx, deps, booking);
      await deps.credits.add(tx, made);
    },
    bookings: [booking],
  };
};

/** In US cents, for lines that were on offer; proposals knows how far each has come. */
const owedByLines = async (
  ctx: Ctx,
  { order, now }: BookedOrder,
  { planning }: Pick<OpsOrderCancelDeps, 'planning'>,
): Promise<ReadonlyMap<string, number>> => {
  const of = { workspace: order.ws, sandbox: order.sandbox, now, networkNow: ctx.networkNow };
  const { lines } = await planning.line_cancel_credits(
    { ...systemContext(of), deadline: ctx.deadline },
    { order_id: order._id },
  );
  return new Map(lines.map(({ line_id, amount_cents }) => [line_id, amount_cents]));
};
