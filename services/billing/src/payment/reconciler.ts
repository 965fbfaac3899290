import type { RowRunner, Sweep } from '@cds/service';
import { RECONCILE_AFTER_MS } from '../domain/constants.js';
import type { Orders } from '../store/orders.js';
import type { Checkout } from './checkout.js';

/** Concurrent rail calls, so that one slow answer does not delay other orders. */
const AT_ONCE = 8;

/** Asks the rail about sessions that have been open for over 15 minutes, which recovers events that were lost. */
export const reconciler = (orders: Orders, checkout: Checkout, rows: RowRunner): Sweep => ({
  name: 'rail reconciler',
  everyMs: 60_000,
  run: (time, only) => {
    const since = new Date(time.network.getTime() - RECONCILE_AFTER_MS);
    return rows.run(
      {
        name: 'rail reconciler',
        find: (without) => orders.openSince(since, only, without),
        idOf: (order) => order._id,
        handle: async (order) => ((await checkout.reconcile(order)) ? 1 : 'done'),
        atOnce: AT_ONCE,
      },
      only === null ? 'kept' : 'ignored',
    );
  },
});
