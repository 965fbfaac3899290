import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentBrandOrder } from '../present/brand-order.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { OrderBooks } from '../store/order-books.js';

export type OrderReadDeps = { books: OrderBooks; tokens: PayTokens; appUrl: string };

/** Raises not_found. Source: docs/domain/orders.md#orders-for-brands, beyond the specification. */
export const orderGet: ReadHandler<'order_get', OrderReadDeps> = async (ctx, { id }, deps) => {
  const { books, tokens, appUrl } = deps;
  const { principal } = ctx;
  const booked = await books.byId(principal.workspace, id);
  if (booked === null) throw notFound('order');

  return presentBrandOrder(booked, { appUrl, principal, tokens });
};
