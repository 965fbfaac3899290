import type { ReadHandler } from '@cds/service';
import { offerOf } from '../domain/offer.js';
import type { Checkout } from '../payment/checkout.js';
import { presentPayPage } from '../present/pay-page.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { Terms } from '../store/terms.js';

export type PayPageDeps = { checkout: Checkout; terms: Terms; tokens: PayTokens };

/**
 * What a pay page shows, by its link's token. Raises not_found for an unknown one. Source:
 * docs/domain/orders.md#payment-link.
 */
export const payPage: ReadHandler<'pay_page', PayPageDeps> = async (ctx, { token }, { checkout, terms, tokens }) => {
  const [order, numbers] = await Promise.all([checkout.orderOf(token), terms.numbers()]);

  return presentPayPage(order, offerOf(order.sandbox, ctx.switches, numbers), tokens.formToken(token));
};
