import { z } from 'zod';
import { defineEvent } from '../event.js';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';
import { OrderBooks } from './brand-orders.js';
import { OrderCampaign, OrderLine, PAYMENT_STATES } from './orders.js';

export const billingEvents = {
  /** The whole public state of an order, sent after every change of its state, its refunds or its credits. */
  'order.changed': defineEvent({
    name: 'order.changed',
    service: 'billing',
    consumers: ['planning', 'catalog', 'proposals', 'metrics', 'gateway'],
    endsWithReset: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      sandbox: z.boolean(),
      order_id: Uuid,
      plan_id: Uuid,
      key_id: Uuid,
      payment_state: z.enum(PAYMENT_STATES),
      total_cents: Cents,
      currency: publicText(),
      signed_at: Timestamp,
      paid_at: Timestamp.nullable(),
      refunded_at: Timestamp.nullable(),
      cancelled_at: Timestamp.nullable(),
      campaign: OrderCampaign,
      lines: z.array(OrderLine),
      /** Absent in events of older versions. */
      books: OrderBooks.optional(),
      /** Lines cancelled while the order continued, whose credits `books` has; absent without any. */
      ended_lines: z.array(Uuid).optional(),
    }),
  }),
  'billing_task.opened': taskOpened('billing'),
} as const;
