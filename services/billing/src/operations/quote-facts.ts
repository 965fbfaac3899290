import type { OrderInQuote } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { accountOf, monthOf, spentOf } from '../domain/authority.js';
import { offerOf } from '../domain/offer.js';
import type { Order } from '../domain/order.js';
import { presentHeldOrder, presentOrderInQuote } from '../present/order.js';
import { presentHeldFacts, presentQuoteFacts } from '../present/quote-facts.js';
import type { Rails } from '../rails/rails.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { Authorities } from '../store/authority.js';
import type { Orders } from '../store/orders.js';
import type { Terms } from '../store/terms.js';

export type QuoteFactsDeps = {
  authorities: Authorities;
  orders: Orders;
  terms: Terms;
  tokens: PayTokens;
  rails: Pick<Rails, 'checkout'>;
  appUrl: string;
};

/** Source: docs/specification.md#quote, docs/domain/orders.md#policy-in-the-quote. */
export const quoteFacts: ReadHandler<'quote_facts', QuoteFactsDeps> = async (ctx, input, deps) => {
  const { workspace, key, sandbox, mandate } = ctx.principal;
  const account = accountOf(ctx.principal);
  const [view, order] = await Promise.all([
    key === '' ? null : deps.authorities.view(workspace, account.document),
    input.order_id === null ? null : orderInQuote(workspace, input.order_id, deps),
  ]);
  // People have no authority, and keys none before their first mandate.
  const terms = view?.terms ?? (await deps.terms.numbers());

  const checkout = deps.rails.checkout(sandbox);
  const offer = offerOf(checkout, ctx.switches, terms, null);
  const spent = spentOf(view, monthOf(ctx.now), account);

  const facts = presentHeldFacts(deps.appUrl, offer, terms, mandate?.terms_version ?? null, spent);
  return presentQuoteFacts(facts, offer.open, order, checkout);
};

/** A plan is signed a moment before its order is written; until then the order is read from its hold (I58). */
const orderInQuote = async (ws: string, id: string, deps: QuoteFactsDeps): Promise<OrderInQuote | null> => {
  const written = await deps.orders.byId(ws, id);
  if (written !== null) return shown(written, deps);
  const hold = await deps.authorities.holdOfOrder(ws, id);
  if (hold !== null) return presentHeldOrder(deps.appUrl, hold, deps.tokens.open(hold.pay_token));
  // The order was written and its hold cleaned up between the two reads.
  const late = await deps.orders.byId(ws, id);
  return late === null ? null : shown(late, deps);
};

const shown = (order: Order, { appUrl, tokens }: QuoteFactsDeps): OrderInQuote =>
  presentOrderInQuote(appUrl, order, () => tokens.open(order.pay_token));
