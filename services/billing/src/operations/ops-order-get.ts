import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentOpsOrder } from '../present/books.js';
import type { OrderBooks } from '../store/order-books.js';

/** Raises not_found. Source: docs/domain/operators.md#operators. */
export const opsOrderGet: ReadHandler<'ops_order_get', { books: OrderBooks }> = async (_ctx, { id }, { books }) => {
  const booked = await books.ofAny(id);
  if (booked === null) throw notFound('order');

  return presentOpsOrder(booked);
};
