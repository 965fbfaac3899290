import { z } from 'zod';
import { PAYMENT_STATES, RAILS } from '../facts.js';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';

/** The limits a person of the brand set on a key (spec, "Mandate"; domain 3-orders 2.1). */
export const Mandate = z
  .object({
    key_id: Uuid,
    version: z.int().min(1),
    max_plan_cents: Cents,
    monthly_cap_cents: Cents,
    channels: z.array(publicText()),
    may_approve: z.boolean(),
    may_exceed_budget: z.literal(false).optional().meta({ deprecated: true, description: 'Retired, always false.' }),
    expires_at: Timestamp,
    updated_at: Timestamp,
    spent_this_month_cents: Cents,
    terms_version: publicText().nullable(),
    terms_accepted_at: Timestamp.nullable(),
    terms_accepted_email: publicText().nullable(),
  })
  .meta({ id: 'Mandate' });
export type Mandate = z.infer<typeof Mandate>;

/** A way to pay (spec, "PaymentOption"). */
export const PaymentOption = z
  .object({ rail: z.enum(RAILS), label: publicText(), clears: publicText() })
  .meta({ id: 'PaymentOption' });
export type PaymentOption = z.infer<typeof PaymentOption>;

/** Where an order's money stands (domain 3-orders 4.3). */
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

/** The payment link of an order: our own page, the same in every replay (domain 3-orders 6.3). */
export const Payment = z
  .object({
    rail: z.enum(RAILS),
    label: publicText(),
    clears: publicText(),
    url: publicText().meta({ format: 'uri' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof Payment>;

/** The order in a quote; `payment` is null once paid or cancelled and for keys that may not sign (domain 3-orders 4.4). */
export const OrderInQuote = Order.extend({ payment: Payment.nullable() }).meta({ id: 'OrderInQuote' });
export type OrderInQuote = z.infer<typeof OrderInQuote>;

/** The order as the sandbox's payment door answers it (domain 4-doors 7). */
export const SandboxOrder = Order.extend({ id: Uuid, plan_id: Uuid, campaign_id: Uuid }).meta({ id: 'SandboxOrder' });
export type SandboxOrder = z.infer<typeof SandboxOrder>;
