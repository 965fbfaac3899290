import { notFound, type PayPage, type Seller } from '@cds/contracts';
import type { Clocks, Ctx, ReadHandler } from '@cds/service';
import { offerOf } from '../domain/offer.js';
import { payTokenHash } from '../domain/pay-token.js';
import { presentPayPage } from '../present/pay-page.js';
import type { Rails } from '../rails/rails.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { OrderBooks } from '../store/order-books.js';
import type { Terms } from '../store/terms.js';

export type PayPageDeps = {
  books: OrderBooks;
  clocks: Clocks;
  terms: Terms;
  tokens: PayTokens;
  rails: Rails;
  seller: Seller;
};

/** Raises not_found for an unknown token. Source: docs/domain/orders.md#payment-link. */
export const payPage: ReadHandler<'pay_page', PayPageDeps> = (ctx, { token }, deps) => shownPage(ctx, token, deps);

export const shownPage = async (ctx: Ctx, token: string, deps: PayPageDeps): Promise<PayPage> => {
  const [booked, numbers] = await Promise.all([deps.books.byTokenHash(payTokenHash(token)), deps.terms.numbers()]);
  if (booked === null) throw notFound('payment link');
  const { order } = booked;

  return presentPayPage(booked, {
    offer: offerOf(deps.rails.checkout(order.sandbox), ctx.switches, numbers, order.total_cents),
    seller: deps.seller,
    now: booked.now,
    formToken: deps.tokens.formToken(token),
  });
};
