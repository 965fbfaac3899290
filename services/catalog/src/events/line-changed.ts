import { type Consumer, consumerOf } from '@cds/service';
import type { PaidOrders } from '../store/paid-orders.js';

/** Adds the creators on lines of a paid order, replacements included. Lines exist only for paid orders. */
export const onLineChanged = (paidOrders: PaidOrders): Consumer =>
  consumerOf({
    event: 'line.changed',
    project: (line) =>
      paidOrders.add({ id: line.order_id, workspace: line.workspace, creatorIds: [line.creator_id], version: 0 }),
  });
