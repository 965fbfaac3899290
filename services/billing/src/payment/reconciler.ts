import type { RowRunner, Sweep } from '@cds/service';
import { RECONCILE_AFTER_MS } from '../domain/constants.js';
import type { Orders } from '../store/orders.js';
import type { Checkout } from './checkout.js';

/** Concurrent rail calls, so that one slow answer does not delay other orders. */
const AT_ONCE = 8;
const THE_OLDEST = new Date(0);

/** Recovers lost events. A run that ends early leaves off where the next one begins, so no session starves. */
export const reconciler = (
  orders: Pick<Orders, 'openSince'>,
  checkout: Pick<Checkout, 'reconcile'>,
  rows: Pick<RowRunner, 'run'>,
): Sweep => {
  let reached = THE_OLDEST;
  return {
    name: 'rail reconciler',
    everyMs: 60_000,
    run: (time, only) => {
      const before = new Date(time.network.getTime() - RECONCILE_AFTER_MS);
      const from = only === null ? reached : THE_OLDEST;
      return rows.run(
        {
          name: 'rail reconciler',
          find: async (without) => {
            const found = await orders.openSince({ from, before }, only, without);
            if (only === null && found.length === 0) reached = THE_OLDEST;
            return found;
          },
          idOf: (order) => order._id,
          handle: async (order) => {
            if (only === null) reached = order.session?.opened_at ?? reached;
            return (await checkout.reconcile(order)) ? 1 : 'done';
          },
          atOnce: AT_ONCE,
        },
        only === null ? 'kept' : 'ignored',
      );
    },
  };
};
