import { z } from 'zod';
import { Timestamp, Uuid } from '../fields.js';
import { Quote } from '../planning/quote.js';
import { Order, Payment } from './resources.js';

/** What signing answers: the approved plan, its order and the payment link (domain 3-orders 4.3). */
export const PlanApproved = z
  .object({
    plan_id: Uuid,
    campaign_id: Uuid,
    status: z.literal('approved'),
    approved_at: Timestamp,
    order_id: Uuid,
    order: Order,
    payment: Payment,
    plan: Quote,
  })
  .meta({ id: 'PlanApproved' });
export type PlanApproved = z.infer<typeof PlanApproved>;
