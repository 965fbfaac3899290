import { z } from 'zod';
import { CalendarDate, Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads, internalWrites } from '../operation-kinds.js';
import { PaymentOption } from './payments.js';

/** Who sells: the operator of the service, as its pages and invoices name it. Empty texts are left out. */
export const Seller = z.object({
  name: publicText(),
  address: z.array(publicText()),
  tax_id: publicText(),
  email: publicText(),
  /** Where a bank transfer goes: lines such as bank, account and routing numbers. */
  bank: z.array(publicText()),
});
export type Seller = z.infer<typeof Seller>;

/** Whom an invoice is made out to, as the payer typed it. */
export const InvoiceDetails = z.object({
  legal_name: publicText(),
  /** As typed, with its line breaks. */
  address: publicText(),
  tax_id: publicText(),
  purchase_order: publicText(),
});
export type InvoiceDetails = z.infer<typeof InvoiceDetails>;

/** The limits of each field of an invoice's details, in code points. */
export const INVOICE_DETAIL_MAX = { legal_name: 200, address: 500, tax_id: 50, purchase_order: 50 } as const;

/** `requested`: the payer's details are complete; `sent` has number and due date; `paid`; `withdrawn` by the team. */
export const INVOICE_STATES = ['requested', 'sent', 'paid', 'withdrawn'] as const;

export const Invoice = z.object({
  state: z.enum(INVOICE_STATES),
  details: InvoiceDetails,
  number: publicText().nullable(),
  due_on: CalendarDate.nullable(),
  sent_at: Timestamp.nullable(),
  paid_at: Timestamp.nullable(),
  withdrawn_reason: publicText().nullable(),
});
export type Invoice = z.infer<typeof Invoice>;

/** Why an order ended: `unpaid` for 14 days, by `brand` or `team`, or `refunded` before money of that came back. */
export const CANCEL_CAUSES = ['unpaid', 'brand', 'team', 'refunded'] as const;

/** The contents of the pay page; never a creator (docs/domain/orders.md#payment-link). */
export const PayPage = z.object({
  order_id: Uuid,
  /** For people: the same on page, invoice and receipt. */
  order_number: publicText(),
  workspace: Uuid,
  key_id: Uuid,
  sandbox: z.boolean(),
  seller: Seller,
  company: publicText().nullable(),
  campaign: publicText(),
  posts: Count,
  /** Posts by format, most first; null is a line without a format. */
  formats: z.array(z.object({ format: publicText().nullable(), posts: Count })),
  launch_window_start: CalendarDate,
  launch_window_end: CalendarDate,
  terms_version: publicText().nullable(),
  total_cents: Cents,
  refunded_cents: Cents,
  currency: publicText(),
  payment_state: publicText(),
  signed_at: Timestamp,
  paid_at: Timestamp.nullable(),
  refunded_at: Timestamp.nullable(),
  cancelled_at: Timestamp.nullable(),
  cancel_cause: z.enum(CANCEL_CAUSES).nullable(),
  rail: z.enum(['checkout', 'invoice']),
  options: z.array(PaymentOption),
  /** The largest card payment; absent unless it alone keeps this order from being paid by card. */
  cards_end_at_cents: Cents.optional(),
  /** The smallest card payment, in the same way. */
  cards_begin_at_cents: Cents.optional(),
  pay_by: CalendarDate,
  expired: z.boolean(),
  form_token: publicText(),
  /** The open session of the checkout; null before Pay is pressed and after it is closed. */
  session: z.object({ generation: z.int(), state: publicText() }).nullable(),
  invoice: Invoice.nullable(),
});
export type PayPage = z.infer<typeof PayPage>;

export const payPageOperations = defineOperations('billing', {
  pay_page: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns the contents of a pay page by its token.',
    body: z.object({ token: z.string() }),
    output: PayPage,
  },
  pay_checkout: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Opens or continues the order’s one checkout session and returns the URL of the rail’s page.',
    body: z.object({ token: z.string(), form_token: z.string() }),
    output: z.object({ url: publicText() }),
  },
  pay_rail: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Changes the rail of an unpaid order.',
    body: z.object({ token: z.string(), form_token: z.string(), rail: z.string() }),
    output: PayPage,
  },
  pay_invoice: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Requests an invoice for an unpaid order, or corrects its details until the team has sent it.',
    body: z.object({ token: z.string(), form_token: z.string(), details: z.record(z.string(), z.string()) }),
    output: PayPage,
  },
  pay_sandbox: {
    ...internalWrites,
    callers: ['gateway'],
    summary:
      'Runs an action of the sandbox checkout: pay, decline, delay or expire. The rail responds with a signed event.',
    body: z.object({ token: z.string(), form_token: z.string(), button: z.string() }),
    output: PayPage,
  },
  rail_event: {
    ...internalWrites,
    byOwnId: true,
    callers: ['gateway'],
    summary: 'Receives a rail’s callback: verifies the raw body and stores it once; the worker applies it.',
    body: z.object({ rail: z.string(), raw_base64: z.string(), signature: z.string().nullable() }),
    output: z.object({ received: z.literal(true) }),
  },
});
