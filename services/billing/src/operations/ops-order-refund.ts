import { randomUUID } from 'node:crypto';
import { conflict, notFound, type OpsOrder, unprocessable } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change, type WriteHandler } from '@cds/service';
import { type Credit, uncredited } from '../domain/credit.js';
import { dueCredits, type Refund, type Repayable, repayableOf, unpaidCredits } from '../domain/refund.js';
import { taken } from '../domain/returned.js';
import { bookingOf, saveBooking } from '../payment/booking.js';
import type { Refunder } from '../payment/refunder.js';
import { presentOpsOrder } from '../present/books.js';
import { INVOICE_RAIL } from '../rails/invoice/invoice-rail.js';
import type { Credits } from '../store/credits.js';
import type { Ledger } from '../store/ledger.js';
import type { BookedOrder, OrderBooks } from '../store/order-books.js';
import type { Orders } from '../store/orders.js';
import type { Refunds } from '../store/refunds.js';

export type OpsRefundDeps = {
  books: OrderBooks;
  orders: Orders;
  ledger: Ledger;
  credits: Credits;
  refunds: Refunds;
  refunder: Refunder;
};

type Asked = {
  amountCents: number;
  lineId: string | null;
  paid: readonly string[];
  credits: readonly Credit[];
  makesCredit: boolean;
  bankReference: string | null;
  cause: string;
  reason: string;
};

/**
 * Asks for a repayment. The amount is reserved with the request, so concurrent requests never exceed the payment; the
 * rail is asked afterwards under the repayment's id. A repayment for a line is a credit of it. Repays money that
 * arrived twice first, then what came back of earlier repayments. Raises not_found, unprocessable, conflict
 * (bad_state). Source: docs/domain/orders.md#refunds.
 */
export const opsOrderRefund: WriteHandler<'ops_order_refund', OpsRefundDeps> = async (ctx, input, deps) => {
  const booked = await deps.books.ofAny(input.id);
  if (booked === null) throw notFound('order');
  const lineId = input.line_id ?? null;
  const owed = owedAgain(booked, lineId, input.amount_cents);
  const credit = lineId === null || owed !== null ? null : creditOfLine(ctx, booked, lineId, input.amount_cents);
  return asked(
    ctx,
    booked,
    {
      amountCents: input.amount_cents,
      lineId,
      paid: owed?.ids ?? (credit === null ? [] : [credit._id]),
      credits: owed?.credits ?? (credit === null ? booked.credits : [...booked.credits, credit]),
      makesCredit: credit !== null,
      bankReference: input.bank_reference ?? null,
      cause: 'team',
      reason: input.reason,
    },
    deps,
  );
};

/** Pays a due credit. Raises not_found, unprocessable, conflict (bad_state). Source: docs/domain/orders.md#credits. */
export const opsCreditRefund: WriteHandler<'ops_credit_refund', OpsRefundDeps> = async (ctx, input, deps) => {
  const { booked, credit } = await dueCreditInBooks(input.id, deps);
  return asked(
    ctx,
    booked,
    {
      amountCents: credit.amount_cents,
      lineId: credit.line_id,
      paid: [credit._id],
      credits: booked.credits,
      makesCredit: false,
      bankReference: input.bank_reference ?? null,
      cause: credit.cause,
      reason: input.reason,
    },
    deps,
  );
};

/** Both as of one moment, guarded by the order's revision. Raises not_found, conflict (bad_state). */
export const dueCreditInBooks = async (
  id: string,
  { books, credits }: Pick<OpsRefundDeps, 'books' | 'credits'>,
): Promise<{ booked: BookedOrder; credit: Credit }> => {
  const found = await credits.byId(id);
  const booked = found === null ? null : await books.byId(found.ws, found.order_id);
  const credit = booked?.credits.find(({ _id }) => _id === id);
  if (booked === null || credit === undefined) throw notFound('credit');
  if (!unpaidCredits(booked.credits, booked.openRefunds).includes(credit))
    throw conflict('bad_state', 'This credit is paid out, being paid out, or waived, so it cannot change.', {
      state: credit.state,
    });
  return { booked, credit };
};

const asked = (ctx: Ctx, booked: BookedOrder, wanted: Asked, deps: OpsRefundDeps): Change<OpsOrder> => {
  const { order, openRefunds } = booked;
  const { amountCents, lineId, paid, credits, makesCredit, bankReference, cause, reason } = wanted;
  const own = makesCredit ? 0 : sumOf(credits.filter(({ _id }) => paid.includes(_id)));
  const from = paymentFor(booked, amountCents, own, lineId !== null || own > 0);
  if (from.rail === INVOICE_RAIL && bankReference === null)
    throw unprocessable([
      { field: 'bank_reference', message: 'is required: an invoice is repaid by your own transfer' },
    ]);

  const [only = null] = paid.length === 1 ? paid : [];
  const refund: Refund = {
    _id: randomUUID(),
    ws: order.ws,
    order_id: order._id,
    rail: from.rail,
    payment: from.payment,
    stray: from.stray,
    amount_cents: amountCents,
    line_id: lineId,
    credit_id: only,
    ...(paid.length > 1 && { credit_ids: [...paid] }),
    makes_credit: makesCredit,
    cause,
    actor: actorOf(ctx),
    bank_reference: bankReference,
    ...(bankReference !== null && from.rail !== INVOICE_RAIL && { by_transfer: true as const }),
    state: 'open',
    problem: null,
    at: booked.now,
  };
  const booking = bookingOf(booked, { credits }, { actor: refund.actor, rail: from.rail, at: booked.now });
  const shown = { ...booked, order: booking.after, openRefunds: [...openRefunds, refund], credits };
  return change(presentOpsOrder(shown), {
    save: async (tx) => {
      // The order's revision separates two requests that would both take the last of a payment.
      await saveBooking(tx, deps, booking);
      await deps.refunds.add(tx, refund);
      await deps.credits.change(tx, booked.credits, credits);
    },
    events: booking.events,
    audit: [
      {
        ws: order.ws,
        actor: actorOf(ctx),
        action: 'refund.requested',
        object: order._id,
        reason,
        payload: { refund: refund._id, amount_cents: amountCents, line_id: lineId, credit_id: only },
      },
    ],
    committed: () => deps.refunder.wake(order.ws, order._id),
  });
};

/** Null while nothing is owed again, or when stray money covers the request. */
const owedAgain = (booked: BookedOrder, lineId: string | null, cents: number): ReturnType<typeof taken> | null => {
  const { order, entries, credits, openRefunds } = booked;
  const back = unpaidCredits(credits, openRefunds).filter(
    (one) => one.came_back === true && (lineId === null || one.line_id === lineId),
  );
  const isStray = repayableOf(entries, openRefunds).some(({ stray, left }) => stray && left >= cents);
  if (back.length === 0 || (lineId === null && isStray)) return null;
  const most = sumOf(back);
  if (cents > most)
    throw unprocessable([
      {
        field: 'amount_cents',
        message: `must be at most ${most}: as much of an earlier repayment came back. Repay that first, or waive its credits`,
      },
    ]);
  return taken(credits, back, cents, `${order._id}:${order.rev}`);
};

const sumOf = (credits: readonly Credit[]): number => credits.reduce((sum, one) => sum + one.amount_cents, 0);

/** What is left of the order's own belongs to its due credits; only repayments of credits may take from that. */
const paymentFor = (booked: BookedOrder, cents: number, ofCredits: number, isOwn: boolean): Repayable => {
  const { order, entries, openRefunds } = booked;
  const due = dueCredits(booked) - ofCredits;
  const payments = repayableOf(entries, openRefunds)
    .filter(({ stray }) => !(isOwn && stray))
    .map((payment) => (payment.stray ? payment : { ...payment, left: Math.max(0, payment.left - due) }));
  if (payments.length === 0)
    throw conflict('bad_state', 'Nothing was paid for this order, so nothing can be repaid.', {
      payment_state: order.payment_state,
    });
  const found = [...payments]
    .sort((one, other) => Number(other.stray) - Number(one.stray))
    .find(({ left }) => left >= cents);
  if (found !== undefined) return found;
  const most = Math.max(...payments.map(({ left }) => left));
  if (most <= 0)
    throw conflict('bad_state', 'All of this payment is repaid, being repaid, or owed as credits: pay those out.', {
      payment_state: order.payment_state,
    });
  throw unprocessable([{ field: 'amount_cents', message: `must be at most ${most}, what is left of the payment` }]);
};

const creditOfLine = (ctx: Ctx, { order, credits, now }: BookedOrder, lineId: string, cents: number): Credit => {
  const line = order.lines.find(({ line_id }) => line_id === lineId);
  if (line === undefined) throw unprocessable([{ field: 'line_id', message: 'must be a line of the order' }]);
  const most = uncredited(line, credits);
  if (cents > most)
    throw unprocessable([
      { field: 'amount_cents', message: `must be at most ${most}, what is left of the line's price` },
    ]);
  return {
    _id: randomUUID(),
    ws: order.ws,
    order_id: order._id,
    line_id: lineId,
    cause: 'remedy',
    amount_cents: cents,
    state: 'due',
    note: null,
    actor: actorOf(ctx),
    at: now,
  };
};
