import type { PlanApproved, QuotePart } from '@cds/contracts';
import { composeQuote } from '@cds/rules';
import type { Hold } from '../domain/authority.js';
import type { Order } from '../domain/order.js';
import { presentOrder, presentOrderInQuote, presentPayment } from './order.js';
import { presentQuoteFacts } from './quote-facts.js';

export const linkPlaces = ({ plan }: PlanApproved): string[][] => [
  ['payment', 'url'],
  ...(plan.order?.payment == null ? [] : [['plan', 'order', 'payment', 'url']]),
];

/**
 * Composed from hold, verdict and order alone, so that whoever finishes a signing composes the same answer. `token`
 * ends every link; the stored answer has none, and its `linkPlaces` are completed when it is read. Source:
 * docs/domain/orders.md#approve-answer.
 */
export const presentApproved = (
  appUrl: string,
  hold: Hold,
  order: Order,
  quote: QuotePart,
  token: string,
): PlanApproved => {
  const facts = { ...hold.facts, spent_cents: hold.facts.spent_cents + hold.total_cents };
  const inQuote = presentOrderInQuote(appUrl, order, () => token);
  return {
    plan_id: order.plan_id,
    campaign_id: quote.campaign_id,
    status: 'approved',
    approved_at: order.signed_at.toISOString(),
    order_id: order._id,
    order: presentOrder(order),
    payment: presentPayment(appUrl, order.rail, token, order.pay_expires_at),
    plan: composeQuote(quote, presentQuoteFacts(facts, true, inQuote), hold.principal),
  };
};
