import { z } from 'zod';
import { CalendarDate, Cents, Count, publicText, Uuid } from '../fields.js';
import { defineOperation } from '../operation.js';
import { PaymentOption } from './payments.js';

/** The contents of the pay page; never a creator (docs/domain/orders.md#payment-link). */
export const PayPage = z.object({
  order_id: Uuid,
  sandbox: z.boolean(),
  company: publicText().nullable(),
  campaign: publicText(),
  posts: Count,
  total_cents: Cents,
  currency: publicText(),
  payment_state: publicText(),
  rail: z.enum(['checkout', 'invoice']),
  options: z.array(PaymentOption),
  pay_by: CalendarDate,
  form_token: publicText(),
  /** The open session of the sandbox checkout; null before Pay is pressed and after it is closed. */
  session: z.object({ generation: z.int(), state: publicText() }).nullable(),
});
export type PayPage = z.infer<typeof PayPage>;

export const payPageOperations = {
  pay_page: defineOperation({
    name: 'pay_page',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Returns the contents of a pay page by its token.',
    body: z.object({ token: z.string() }),
    output: PayPage,
  }),
  pay_checkout: defineOperation({
    name: 'pay_checkout',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Opens or continues the order’s one checkout session and returns the URL of the rail’s page.',
    body: z.object({ token: z.string(), form_token: z.string() }),
    output: z.object({ url: publicText() }),
  }),
  pay_rail: defineOperation({
    name: 'pay_rail',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Changes the rail of an unpaid order.',
    body: z.object({ token: z.string(), form_token: z.string(), rail: z.string() }),
    output: PayPage,
  }),
  pay_sandbox: defineOperation({
    name: 'pay_sandbox',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary:
      'Runs an action of the sandbox checkout: pay, decline, delay or expire. The rail responds with a signed event.',
    body: z.object({ token: z.string(), form_token: z.string(), button: z.string() }),
    output: PayPage,
  }),
  rail_event: defineOperation({
    name: 'rail_event',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    byOwnId: true,
    callers: ['gateway'],
    summary: 'Receives a rail’s callback: verifies the raw body and stores it once; the worker applies it.',
    body: z.object({ rail: z.string(), raw_base64: z.string(), signature: z.string().nullable() }),
    output: z.object({ received: z.literal(true) }),
  }),
} as const;
