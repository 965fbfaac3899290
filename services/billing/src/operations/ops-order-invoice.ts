import { type AppError, conflict, notFound, type OpsOrder, unprocessable } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { type InvoiceMoveDeps, movedInvoice } from '../payment/invoice-moves.js';
import { presentOpsOrder } from '../present/books.js';
import { bookedTransfer, type InvoiceMove } from '../rails/invoice/invoice.js';
import type { BookedOrder, OrderBooks } from '../store/order-books.js';

export type OpsInvoiceDeps = InvoiceMoveDeps & { books: OrderBooks };

/** Raises not_found, conflict (bad_state), unprocessable (a past due day). Source: docs/domain/orders.md#rails. */
export const opsOrderInvoiceSent: WriteHandler<'ops_order_invoice_sent', OpsInvoiceDeps> = async (ctx, input, deps) => {
  const { id, number, due_on, reason } = input;
  const booked = await found(id, deps);
  const today = dayOf(booked.now);
  if (due_on < today) throw unprocessable([{ field: 'due_on', message: `must be today, ${today}, or later` }]);
  if (isNewInvoice(booked) && !ctx.switches.invoice_rail)
    throw conflict(
      'bad_state',
      'Invoices are switched off, and the payer has not asked for this one. Switch invoice_rail on first.',
      { payment_state: booked.order.payment_state, invoice_state: booked.invoice?.state ?? null },
    );
  return moved(ctx, booked, { kind: 'send', number, due_on }, reason, deps);
};

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#payment-states. */
export const opsOrderInvoiceWithdrawn: WriteHandler<'ops_order_invoice_withdrawn', OpsInvoiceDeps> = async (
  ctx,
  { id, reason },
  deps,
) => {
  const booked = await found(id, deps);
  if (booked.order.payment_state !== 'processing') throw badState(booked);
  return moved(ctx, booked, { kind: 'withdraw', reason }, reason, deps);
};

/** Raises not_found, conflict (bad_state), unprocessable (amount). Source: docs/domain/orders.md#payment-states. */
export const opsOrderInvoicePaid: WriteHandler<'ops_order_invoice_paid', OpsInvoiceDeps> = async (ctx, input, deps) => {
  const booked = await found(input.id, deps);
  const { total_cents: total } = booked.order;
  if (input.amount_cents !== total)
    throw unprocessable([{ field: 'amount_cents', message: `must be ${total}, the total of the order` }]);
  const known = booked.invoice === null ? null : bookedTransfer(booked.invoice, input.bank_reference);
  if (known !== null)
    throw conflict(
      'bad_state',
      `The transfer ${known} is booked for this order already. Mark another transfer by its own bank_reference.`,
      { payment_state: booked.order.payment_state, bank_reference: known },
    );
  return moved(ctx, booked, { kind: 'pay', bank_reference: input.bank_reference }, input.reason, deps);
};

const isNewInvoice = ({ order, invoice }: BookedOrder): boolean =>
  order.rail === 'invoice' && order.payment_state === 'unpaid' && (invoice === null || invoice.state === 'withdrawn');

const found = async (id: string, { books }: OpsInvoiceDeps): Promise<BookedOrder> => {
  const booked = await books.ofAny(id);
  if (booked === null) throw notFound('order');
  return booked;
};

const moved = async (
  ctx: Ctx,
  booked: BookedOrder,
  move: InvoiceMove,
  reason: string,
  deps: OpsInvoiceDeps,
): Promise<Change<OpsOrder>> => {
  const { order, entries } = booked;
  const done = await movedInvoice({ ...ctx, now: booked.now }, booked, move, deps);
  if (done === null) throw badState(booked);
  const { booking, tasks, invoice, save } = done;
  const after = { ...booked, order: booking.after, entries: [...entries, ...booking.entries], invoice };
  return change(presentOpsOrder(after), {
    save,
    events: [...booking.events, ...tasks.map((payload) => ({ name: 'billing_task.opened' as const, payload }))],
    audit: [
      ...booking.audit,
      {
        ws: order.ws,
        actor: actorOf(ctx),
        action: `invoice.${invoice.state}`,
        object: order._id,
        reason,
        payload: { ...move },
      },
    ],
  });
};

const badState = ({ order, invoice }: BookedOrder): AppError =>
  conflict(
    'bad_state',
    order.rail === 'invoice'
      ? `This order is ${order.payment_state} and its invoice is ${invoice?.state ?? 'not requested'}, so this step is not possible.`
      : `This order is set to card checkout, so it has no invoice. ${
          order.payment_state === 'unpaid'
            ? 'The payer can choose the invoice on the payment page.'
            : 'Return a transfer for it from your bank.'
        }`,
    { payment_state: order.payment_state, rail: order.rail, invoice_state: invoice?.state ?? null },
  );
