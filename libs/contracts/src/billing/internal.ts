import { z } from 'zod';
import { ClockSetAnswer, ClockSetInput, DueAnswer, WorkspaceInput } from '../facts.js';
import { CalendarDate, Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperation } from '../operation.js';
import { OrderInQuote, PaymentOption } from './resources.js';

/** What billing adds to a quote for the asking key. */
export const QuoteFacts = z.object({
  payment_options: z.array(PaymentOption),
  agent_payment: z.enum(['checkout', 'team_invoice']),
  payments_open: z.boolean(),
  current_terms: z.object({ version: publicText(), number: z.int() }).nullable(),
  accepted_terms_number: z.int().nullable(),
  terms_url: publicText(),
  spent_this_month_cents: Cents,
  order: OrderInQuote.nullable(),
});
export type QuoteFacts = z.infer<typeof QuoteFacts>;

/** What the pay page shows; never a creator (domain 3-orders 6.3). */
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
  /** The open session of the sandbox checkout, null before Pay was pressed or once it closed. */
  session: z.object({ generation: z.int(), state: publicText() }).nullable(),
});
export type PayPage = z.infer<typeof PayPage>;

export const billingInternal = {
  quote_facts: defineOperation({
    name: 'quote_facts',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['planning'],
    summary: 'Billing’s part of a quote for the asking key: rails, terms, spend and the order.',
    body: z.object({ order_id: z.string().nullable() }),
    output: QuoteFacts,
  }),
  gate_raise: defineOperation({
    name: 'gate_raise',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Makes the key’s authority if absent and raises its gate: no older mandate version reserves afterwards.',
    body: z.object({ key_id: Uuid, workspace: Uuid, version: z.int() }),
    output: z.object({ min_mandate_version: z.int() }),
  }),
  terms_publish: defineOperation({
    name: 'terms_publish',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Publishes a version of the brand terms; the same version with the same text again changes nothing.',
    body: z.object({ version: CalendarDate, number: z.int().min(1), text: z.string().min(1) }),
    output: z.object({ version: publicText(), number: z.int(), published_at: Timestamp }),
  }),
  terms_current: defineOperation({
    name: 'terms_current',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'The brand terms in force, or a named version, with text.',
    body: z.object({ version: z.string().optional() }),
    output: z.object({
      terms: z
        .object({
          version: publicText(),
          number: z.int(),
          text: publicText(),
          text_sha256: publicText(),
          published_at: Timestamp,
        })
        .nullable(),
    }),
  }),
  pay_page: defineOperation({
    name: 'pay_page',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'The facts of a pay page by its token; not_found for an unknown one.',
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
    summary: 'Opens or continues the one session of the order and answers where the rail’s page is.',
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
    summary: 'A button of the sandbox checkout: pay, decline, delay or expire. The rail answers by a signed event.',
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
    summary: 'A rail’s callback: verified on the raw body, stored once, applied by the worker.',
    body: z.object({ rail: z.string(), raw_base64: z.string(), signature: z.string().nullable() }),
    output: z.object({ received: z.literal(true) }),
  }),
  billing_due: defineOperation({
    name: 'billing_due',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Due facts of a sandbox that are not handled yet, earliest first, at most 50.',
    body: WorkspaceInput,
    output: DueAnswer,
  }),
  billing_clock_set: defineOperation({
    name: 'billing_clock_set',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Moves a sandbox clock forward and runs what became due.',
    body: ClockSetInput,
    output: ClockSetAnswer,
  }),
} as const;
