import { z } from 'zod';
import { GOALS } from '../catalog/words.js';
import { CalendarDate, Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxWrites } from '../operation-kinds.js';

/** A line as signed and frozen (docs/domain/orders.md#payment-states). `number` counts from 1 within the plan. */
export const OrderLine = z.object({
  line_id: Uuid,
  number: z.int(),
  channel: publicText(),
  slot: publicText(),
  /** That the team wrote the slot, which then stays on any day. */
  team_slot: z.literal(true).optional(),
  creator_id: Uuid.nullable(),
  unit_id: Uuid.nullable(),
  format: publicText().nullable(),
  deliverable: publicText(),
  scheduled_date: CalendarDate,
  price_cents: Cents,
  expected_views: Count.nullable(),
  views_low: Count.nullable(),
  views_high: Count.nullable(),
  engagement_rate: z.number().nullable(),
});
export type OrderLine = z.infer<typeof OrderLine>;

/** What an order tells proposals and metrics about its campaign. */
export const OrderCampaign = z.object({
  campaign_id: Uuid,
  /** The campaign's number in its workspace, from 1; seeds its creators (docs/domain/orders.md#sandbox-creators). */
  campaign_number: z.int(),
  /** The seed of the sandbox's creators; absent where it is the first one (docs/domain/sandbox.md#reset). */
  seed: z.int().optional(),
  campaign: publicText(),
  company: publicText().nullable(),
  product: publicText().nullable(),
  launch_window_start: CalendarDate,
  launch_window_end: CalendarDate,
  /** What the slots count from, as are the days to the moment; both absent in orders of older releases. */
  goal: z.enum(GOALS).nullable().optional(),
  moment_offset: z.int().optional(),
});
export type OrderCampaign = z.infer<typeof OrderCampaign>;

export const PAYMENT_STATES = ['unpaid', 'processing', 'paid', 'partially_refunded', 'refunded', 'cancelled'] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The payment state of an order (docs/domain/orders.md#approve-answer). */
export const Order = z
  .object({
    payment_state: z.enum(PAYMENT_STATES),
    total_cents: Cents,
    currency: publicText(),
    signed_at: Timestamp,
    paid_at: Timestamp.nullable(),
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof Order>;

/** The order in the answer of the sandbox's payment endpoint (docs/domain/sandbox.md#sandbox). */
export const SandboxOrder = Order.extend({
  id: Uuid,
  plan_id: Uuid,
  campaign_id: Uuid,
  note: publicText().optional().meta({ description: 'Why the order is unpaid after an outcome that pays nothing.' }),
}).meta({ id: 'SandboxOrder' });
export type SandboxOrder = z.infer<typeof SandboxOrder>;

/** The payment outcomes that a sandbox can simulate (docs/domain/sandbox.md#sandbox). */
const SANDBOX_OUTCOMES = ['paid', 'declined', 'pending', 'settled', 'failed', 'expired', 'invoice_paid'] as const;

export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

export const orderOperations = defineOperations('billing', {
  sandbox_order_payment: {
    ...sandboxWrites('plans:approve'),
    rest: { method: 'POST', path: '/api/sandbox/orders/{id}/payment', root: 'app' },
    tool: {
      rank: 30,
      name: 'sandbox_pay',
      title: 'Pay a sandbox order',
      description:
        'Plays the payment of a signed plan in the sandbox, where no money moves: creators get their offers once it is paid. Scope plans:approve.',
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      also: { order_id: 'id' },
    },
    summary: 'Simulates a payment outcome of a sandbox order.',
    params: closed({ id: uuidInput().describe('The order_id that approve_plan answered.') }),
    body: closed({
      outcome: oneOf(SANDBOX_OUTCOMES)
        .optional()
        .describe('What the payment does. Default: paid; invoice_paid for an order by invoice.'),
    }),
    output: SandboxOrder,
    conflicts: ['bad_state'],
  },
});
