import { type Consumer, consumerOf } from '@cds/service';
import type { PaidOrders } from '../store/paid-orders.js';

export const onOrderChanged = (paidOrders: PaidOrders): Consumer =>
  consumerOf({
    event: 'order.changed',
    project: async (order) => {
      if (order.paid_at === null) return;
      const creatorIds = order.lines.flatMap(({ creator_id }) => creator_id ?? []);
      await paidOrders.add({ id: order.order_id, workspace: order.workspace, creatorIds, version: order.version });
    },
  });
