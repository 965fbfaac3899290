import { type Consumer, consumerOf } from '@cds/service';
import type { PaidOrders } from '../store/paid-orders.js';

/** Adds who stands on a line of a paid order, a replacement included; lines exist for paid orders only. */
export const onLineChanged = (paidOrders: PaidOrders): Consumer =>
  consumerOf({
    event: 'line.changed',
    project: (line) =>
      paidOrders.add({ id: line.order_id, workspace: line.workspace, creatorIds: [line.creator_id], version: 0 }),
  });
