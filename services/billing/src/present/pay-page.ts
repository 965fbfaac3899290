import type { PayPage } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import type { Offer } from '../domain/offer.js';
import type { Order } from '../domain/order.js';

/** What a pay page shows; never a creator (docs/domain/orders.md#payment-link). */
export const presentPayPage = (order: Order, offer: Offer, formToken: string): PayPage => ({
  order_id: order._id,
  sandbox: order.sandbox,
  company: order.campaign.company,
  campaign: order.campaign.campaign,
  posts: order.lines.length,
  total_cents: order.total_cents,
  currency: order.currency,
  payment_state: order.payment_state,
  rail: order.rail,
  options: order.payment_state === 'unpaid' ? offer.options : [],
  pay_by: dayOf(order.pay_expires_at),
  form_token: formToken,
  session:
    order.session === null || order.session.state === 'closed'
      ? null
      : { generation: order.session.generation, state: order.session.state },
});
