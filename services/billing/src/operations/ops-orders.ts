import { notFound } from '@cds/contracts';
import { listed, type ReadHandler } from '@cds/service';
import { presentOpsOrder } from '../present/books.js';
import type { OrderBooks } from '../store/order-books.js';

/** Raises not_found. Source: docs/domain/operators.md#operators. */
export const opsOrderGet: ReadHandler<'ops_order_get', { books: OrderBooks }> = async (_ctx, { id }, { books }) => {
  const booked = await books.ofAny(id);
  if (booked === null) throw notFound('order');

  return presentOpsOrder(booked);
};

/** Orders of all workspaces, oldest first. Raises bad_request (cursor). Source: docs/domain/operators.md#operators. */
export const opsOrdersList: ReadHandler<'ops_orders_list', { books: OrderBooks }> = async (_ctx, input, { books }) =>
  listed(input, {
    rows: (place, limit) =>
      books.page({ ws: input.workspace, state: input.payment_state }, 'oldest first', place, limit),
    placeOf: ({ order }) => ({ at: order.signed_at, id: order._id }),
    present: presentOpsOrder,
  });
