import { z } from 'zod';
import { CalendarDate, Cents, publicText, Timestamp, Uuid } from '../fields.js';
import {
  closed,
  codePoints,
  dateInput,
  integerInput,
  lineInput,
  oneOf,
  saying,
  tokenInput,
  uuidInput,
} from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { BrandOrder, CREDIT_STATES, Credit } from './brand-orders.js';
import { PAYMENT_STATES } from './orders.js';
import { Invoice } from './pay-page.js';

/** Pending repayments: requested, but the rail has not confirmed them yet. */
const PendingRefund = z.object({
  id: Uuid,
  amount_cents: Cents,
  line_id: Uuid.nullable(),
  requested_at: Timestamp,
});

/** An invoice with the transfer that paid it, so that the team finds it on the bank statement. */
const OpsInvoice = Invoice.extend({
  bank_reference: publicText().nullable(),
  /** Transfers that arrived after it was paid: stray charges, which the ledger names by `rail_ref`. */
  later_transfers: z.array(
    z.object({ rail_ref: publicText(), bank_reference: publicText(), amount_cents: Cents, paid_at: Timestamp }),
  ),
});

/** An order as the operator's team sees it: without its link, with its invoice and its ledger. */
export const OpsOrder = BrandOrder.omit({ payment: true, receipt_url: true })
  .extend({
    workspace: Uuid,
    sandbox: z.boolean(),
    company: publicText().nullable(),
    rail: publicText(),
    pay_by: CalendarDate,
    invoice: OpsInvoice.nullable(),
    pending_refunds: z.array(PendingRefund),
    ledger: z.array(
      z.object({
        id: Uuid,
        seq: z.int(),
        kind: publicText(),
        amount_cents: z.int(),
        rail: publicText(),
        rail_ref: publicText(),
        line_id: Uuid.nullable(),
        cause: publicText(),
        actor: publicText(),
        at: Timestamp,
      }),
    ),
  })
  .meta({ id: 'OpsOrder' });
export type OpsOrder = z.infer<typeof OpsOrder>;

export const OpsCredit = Credit.extend({
  order_id: Uuid,
  workspace: Uuid,
  note: publicText().nullable(),
  at: Timestamp,
}).meta({ id: 'OpsCredit' });
export type OpsCredit = z.infer<typeof OpsCredit>;

const CENTS_MAX = 100_000_000;
const LINES_MAX = 100;

const id = (what: string) => closed({ id: uuidInput().describe(what) });
const amount = (min: number) => integerInput({ min, max: CENTS_MAX });
const bankReference = () => lineInput({ max: 100 });
const repayment = () => ({
  bank_reference: bankReference()
    .optional()
    .describe('The reference of your own transfer. Required for an invoice; a card is not asked where you name one.'),
  reason: reason(),
});

const writes = { ...leadWrites, role: 'finance', conflicts: ['bad_state'] } as const;

export const opsOrderOperations = defineOperations('billing', {
  ops_orders_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/orders', root: 'app' },
    summary: 'Lists the orders of all workspaces with their ledgers, oldest first.',
    query: closed({
      ...paging(),
      payment_state: oneOf(PAYMENT_STATES).optional().describe('Only orders in this state.'),
      workspace: uuidInput().optional().describe('Only orders of this workspace.'),
    }),
    output: pageOf(OpsOrder),
  },
  ops_order_get: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/orders/{id}', root: 'app' },
    summary: 'Returns an order with its invoice, refunds, credits and ledger.',
    params: id('The order.'),
    output: OpsOrder,
  },
  ops_order_invoice_sent: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/invoice-sent', root: 'app' },
    summary: 'Marks the requested invoice of an order as sent; the order is processing from then on.',
    params: id('The order.'),
    body: closed({
      number: lineInput({ max: 50 }).describe('The number of the invoice in your books.'),
      due_on: dateInput().describe('The day it is due, today or later.'),
      reason: reason(),
    }),
    output: OpsOrder,
  },
  ops_order_invoice_withdrawn: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/invoice-withdrawn', root: 'app' },
    summary: 'Withdraws a sent invoice; the order is unpaid again.',
    params: id('The order.'),
    body: closed({ reason: reason() }),
    output: OpsOrder,
  },
  ops_order_invoice_paid: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/invoice-paid', root: 'app' },
    summary: 'Marks the invoice of an order as paid; another transfer for it is a stray charge.',
    params: id('The order.'),
    body: closed({
      bank_reference: bankReference().describe('The reference of the transfer in your bank account.'),
      amount_cents: amount(1).describe('What arrived, in US cents: equal to the total.'),
      reason: reason(),
    }),
    output: OpsOrder,
  },
  ops_order_accept_payment: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/accept-payment', root: 'app' },
    summary: 'Accepts a stray charge that covers an unpaid order as its payment; what is beyond stays to be returned.',
    params: id('The order.'),
    body: closed({
      rail_ref: tokenInput({ max: 200 }).describe('The payment, as the ledger names it.'),
      reason: reason(),
    }),
    output: OpsOrder,
  },
  ops_order_cancel: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/cancel', root: 'app' },
    summary: 'Cancels an order. Before payment its cents are given back; after payment each line gets a credit.',
    params: id('The order.'),
    body: closed({
      reason: reason(),
      credits: z
        .array(
          closed({
            line_id: uuidInput(),
            amount_cents: amount(0).describe('Up to the price of the line, in US cents.'),
            note: codePoints({ max: 500 }).describe('Why this amount.'),
          }),
          { error: saying('must be a list of objects') },
        )
        .max(LINES_MAX, { error: `must name at most ${LINES_MAX} lines` })
        .optional()
        .describe('Credits of lines whose amount is not the price; only after payment.'),
    }),
    output: OpsOrder,
    conflicts: ['order_paid', 'bad_state'],
  },
  ops_order_refund: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/refund', root: 'app' },
    summary: 'Repays part of an order, or all, at its rail. The answer does not wait for the rail.',
    params: id('The order.'),
    body: closed({
      amount_cents: amount(1).describe('US cents, at most what is left of the payment.'),
      line_id: uuidInput().optional().describe('The line it is for; its credits never exceed its price.'),
      ...repayment(),
    }),
    output: OpsOrder,
  },
  ops_order_refund_returned: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/orders/{id}/refund-returned', root: 'app' },
    summary:
      'Books that a refund by your own transfer came back: it settles what went back twice, and the order owes the rest.',
    params: id('The order.'),
    body: closed({
      refund_id: uuidInput().describe('The refund, by its id in refunds or, of stray money, in the ledger.'),
      reason: reason(),
    }),
    output: OpsOrder,
  },
  ops_credits_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/credits', root: 'app' },
    summary: 'Lists credits of all workspaces, oldest first.',
    query: closed({ ...paging(), state: oneOf(CREDIT_STATES).optional().describe('Only credits in this state.') }),
    output: pageOf(OpsCredit),
  },
  ops_credit_refund: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/credits/{id}/refund', root: 'app' },
    summary: 'Pays a credit out at the rail of its order. The answer does not wait for the rail.',
    params: id('The credit.'),
    body: closed(repayment()),
    output: OpsOrder,
  },
  ops_credit_waive: {
    ...writes,
    rest: { method: 'POST', path: '/api/ops/credits/{id}/waive', root: 'app' },
    summary: 'Waives a credit.',
    params: id('The credit.'),
    body: closed({ reason: reason() }),
    output: OpsCredit,
  },
});
