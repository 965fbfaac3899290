import { AppError, conflict, notFound } from '@cds/contracts';
import { actorOf, change, listed, type ReadHandler, type WriteHandler } from '@cds/service';
import type { Order } from '../domain/order.js';
import type { Checkout } from '../payment/checkout.js';
import { cancelBooking, saveCancel } from '../payment/unpaid-end.js';
import { presentBrandOrder } from '../present/order.js';
import { UnheldCommand } from '../signing/holds.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { OrderBooks } from '../store/order-books.js';
import type { Orders } from '../store/orders.js';

export type OrderReadDeps = { books: OrderBooks; tokens: PayTokens; appUrl: string };

/** Raises not_found. Source: docs/domain/orders.md#orders-for-brands, beyond the specification. */
export const orderGet: ReadHandler<'order_get', OrderReadDeps> = async (ctx, { id }, deps) => {
  const { books, tokens, appUrl } = deps;
  const { principal } = ctx;
  const booked = await books.byId(principal.workspace, id);
  if (booked === null) throw notFound('order');

  return presentBrandOrder(booked, { appUrl, principal, tokens });
};

/** Newest first. Raises bad_request (cursor). Source: docs/domain/orders.md#orders-for-brands. */
export const ordersList: ReadHandler<'orders_list', OrderReadDeps> = async (ctx, input, deps) => {
  const { books, tokens, appUrl } = deps;
  const { principal } = ctx;
  const of = { ws: principal.workspace, state: input.payment_state };
  const { items, next } = await listed(input, {
    rows: (place, limit) => books.page(of, 'newest first', place, limit),
    placeOf: ({ order }) => ({ at: order.signed_at, id: order._id }),
    present: (booked) => presentBrandOrder(booked, { appUrl, principal, tokens }),
  });

  return { orders: items, next };
};

export type OrderCancelDeps = OrderReadDeps & {
  authorities: Authorities;
  orders: Orders;
  ledger: Ledger;
  checkout: Checkout;
};

/** Before any payment. Raises not_found, conflict. Source: docs/domain/orders.md#payment-states. */
export const orderCancel: WriteHandler<'order_cancel', OrderCancelDeps> = async (ctx, { id, reason }, deps) => {
  const { authorities, ledger, tokens, appUrl } = deps;
  const { principal } = ctx;
  const command = await UnheldCommand.of(ctx, authorities);
  const order = await command.decide(async () =>
    withoutSession(await unpaidOrder(principal.workspace, id, deps), deps),
  );
  const existing = await ledger.of(order.ws, order._id);

  const by = { at: ctx.now, actor: actorOf(ctx), cause: 'brand' };
  const booking = cancelBooking(order, existing, by);

  const books = { order: booking.after, entries: [...existing, ...booking.entries], credits: [] };
  return change(presentBrandOrder(books, { appUrl, principal, tokens }), {
    save: async (tx) => {
      await command.check(tx);
      await saveCancel(tx, deps, booking);
    },
    events: booking.events,
    audit: [
      ...booking.audit,
      { ws: order.ws, actor: by.actor, action: 'order.cancel', object: order._id, reason, payload: {} },
    ],
  });
};

const PROCESSING =
  'A payment for this order is on its way. Wait until it has failed or arrived; ask the team to stop it.';

const unpaidOrder = async (ws: string, id: string, { orders }: Pick<OrderCancelDeps, 'orders'>): Promise<Order> => {
  const order = await orders.byId(ws, id);
  if (order === null) throw notFound('order');
  switch (order.payment_state) {
    case 'unpaid':
      return order;
    case 'processing':
      throw conflict('order_processing', PROCESSING);
    case 'cancelled':
      throw conflict('bad_state', 'This order is cancelled already.', { payment_state: order.payment_state });
    case 'paid':
    case 'partially_refunded':
    case 'refunded':
      throw conflict('order_paid', 'This order is paid. Ask the team to cancel lines of it.', {
        ...(order.paid_at !== null && { paid_at: order.paid_at.toISOString() }),
      });
  }
};

/** If the rail has money for the session, that decides. */
const withoutSession = async (order: Order, deps: OrderCancelDeps): Promise<Order> => {
  try {
    return await deps.checkout.close(order);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    await unpaidOrder(order.ws, order._id, deps);
    throw conflict('order_processing', PROCESSING);
  }
};
