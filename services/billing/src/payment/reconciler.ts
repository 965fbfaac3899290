import type { Sweep } from '@cds/service';
import { RECONCILE_AFTER_MS } from '../domain/constants.js';
import type { Kit } from '../signing/kit.js';
import type { Orders } from '../store/orders.js';
import type { Checkout } from './checkout.js';

/** Asks the rail about sessions that have stood for over 15 minutes: an event that was lost is taken in by it. */
export const reconciler = (kit: Kit, orders: Orders, checkout: Checkout): Sweep => ({
  name: 'rail reconciler',
  everyMs: 60_000,
  run: async (time, only) => {
    let found = 0;
    for (const order of await orders.openSince(new Date(time.network.getTime() - RECONCILE_AFTER_MS), only)) {
      try {
        if (await checkout.reconcile(order)) found += 1;
      } catch (error) {
        kit.log.warn({ err: error, order_id: order._id }, 'the rail could not be asked about a session');
      }
    }
    return found;
  },
});
