import { randomUUID } from 'node:crypto';
import { type Order, railKeyOf } from '../domain/order.js';
import type { SessionWanted } from '../rails/rail.js';

/** The first session of a live order of 1 US dollar, as a rail is asked for it; its page leads back to `page`. */
export const sessionWanted = (page: string, session: Partial<SessionWanted['session']> = {}): SessionWanted => {
  const id = randomUUID();
  const order: Partial<Order> = { _id: id, ws: randomUUID(), sandbox: false, total_cents: 100, currency: 'USD' };
  return {
    // A rail reads nothing else of an order.
    order: order as Order,
    session: {
      generation: 1,
      rail_key: railKeyOf(id, 1),
      state: 'opening',
      url: null,
      opened_at: new Date(),
      ...session,
    },
    pageUrl: () => page,
  };
};
