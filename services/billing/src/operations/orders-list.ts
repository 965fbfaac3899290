import { listed, type ReadHandler } from '@cds/service';
import { presentBrandOrder } from '../present/brand-order.js';
import type { OrderReadDeps } from './order-get.js';

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
