import { consumerOf } from '@cds/service';
import type { Plans } from '../store/plans.js';

export const orderChanged = ({ plans }: { plans: Plans }) =>
  consumerOf({
    event: 'order.changed',
    project: async (order) => {
      await plans.moveOrder(order.workspace, order.plan_id, {
        order_id: order.order_id,
        version: order.version,
        total_cents: order.total_cents,
        currency: order.currency,
        signed_at: new Date(order.signed_at),
        payment_state: order.payment_state,
        paid_at: instant(order.paid_at),
        refunded_at: instant(order.refunded_at),
        cancelled_at: instant(order.cancelled_at),
      });
    },
  });

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));
