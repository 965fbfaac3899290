import { z } from 'zod';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads } from '../operation-kinds.js';
import { queryInteger } from '../query.js';
import { Order, PAYMENT_STATES } from './orders.js';
import { Payment } from './payments.js';

export const LINE_MONEY = ['awaiting_payment', 'given_back', 'committed', 'credited', 'refunded'] as const;
export type LineMoney = (typeof LINE_MONEY)[number];

/** `due`: owed to the brand; `refunded`: paid out; `waived`: given up by the team, with a note. */
export const CREDIT_STATES = ['due', 'refunded', 'waived'] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/** Why a line has a credit (docs/domain/orders.md#credits): `remedy` also for a refund of a line. */
export const CREDIT_CAUSES = [
  'cancelled',
  'remedy',
  'unfilled',
  'undated',
  'post_missing',
  'post_gone',
  'no_disclosure',
  'cheaper',
  'dispute',
] as const;
export type CreditCause = (typeof CREDIT_CAUSES)[number];

export const Credit = z.object({
  id: Uuid,
  line_id: Uuid,
  cause: z.enum(CREDIT_CAUSES),
  amount_cents: Cents,
  state: z.enum(CREDIT_STATES),
});

/** A repayment that was made; `line_id` is null when it is not for one line. */
export const Refund = z.object({ id: Uuid, amount_cents: Cents, line_id: Uuid.nullable(), at: Timestamp });

/** Where the money of an order is, in US cents (docs/domain/orders.md#orders-for-brands). */
const orderMoney = {
  received_cents: Cents.meta({ description: 'US cents received for this order.' }),
  refunds: z.array(Refund),
  credits: z.array(Credit),
  committed_cents: Cents.meta({ description: 'US cents received that pay for lines.' }),
  unused_cents: Cents.meta({
    description: 'US cents received, not refunded and not committed: received_cents − refunds − committed_cents.',
  }),
  stray_cents: Cents.meta({
    description: 'US cents received beyond the total and not refunded yet; they are returned.',
  }),
  lines: z.array(
    z.object({
      line_id: Uuid,
      number: z.int().min(1),
      price_cents: Cents,
      committed_cents: Cents.meta({ description: 'What of the price pays for the line.' }),
      money: z.enum(LINE_MONEY).meta({
        description:
          'awaiting_payment; given_back: cancelled before payment; committed: pays for the line; credited: owed to you, at least in part; refunded: paid back, at least in part.',
      }),
    }),
  ),
} as const;

const orderNumber = publicText().meta({
  description: 'The order number on the payment page, the invoice and the receipt.',
});
const receiptId = Uuid.nullable().meta({
  description: 'The receipt of its signing, for GET /receipts/{id}; null if it was signed before receipts existed.',
});

/** What order.changed says of an order besides its state: its names, and where its money is. */
export const OrderBooks = z.object({ order_number: orderNumber, receipt_id: receiptId, ...orderMoney });

/** An order with its link and its money, beyond the specification (docs/domain/orders.md#orders-for-brands). */
export const BrandOrder = Order.extend({
  id: Uuid,
  order_number: orderNumber,
  plan_id: Uuid,
  campaign_id: Uuid,
  campaign: publicText(),
  refunded_at: Timestamp.nullable(),
  cancelled_at: Timestamp.nullable(),
  payment: Payment.nullable().meta({
    description: 'The payment link while there is something to pay; null for keys without plans:approve.',
  }),
  receipt_url: publicText().nullable().meta({
    description:
      'The page to print as a receipt of the payment, once paid; null for keys without plans:approve, and once the key that keeps its link is retired.',
  }),
  receipt_id: receiptId,
  ...orderMoney,
}).meta({ id: 'BrandOrder' });
export type BrandOrder = z.infer<typeof BrandOrder>;

const PAGE_MAX = 100;

export const brandOrderOperations = defineOperations('billing', {
  orders_list: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/orders', root: 'v1' },
    summary: 'Lists the orders of the workspace with their links and where their money is, newest first.',
    query: closed({
      payment_state: oneOf(PAYMENT_STATES).optional().describe('Only orders in this state.'),
      cursor: tokenInput({ max: 100 }).optional().describe('The next of the previous answer.'),
      limit: queryInteger({ min: 1, max: PAGE_MAX }).optional().describe('Default: 50.'),
    }),
    output: z.object({ orders: z.array(BrandOrder), next: publicText().nullable() }),
  },
  order_get: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/orders/{id}', root: 'v1' },
    extension: true,
    tool: {
      rank: 24,
      title: 'Read an order',
      description:
        'Returns an order: its payment state, its payment link for keys that may sign, its refunds, and what the money of each line is doing. Scope campaigns:read.',
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Returns an order with its link and where its money is.',
    params: closed({ id: uuidInput().describe('The order id.') }),
    output: BrandOrder,
  },
  order_cancel: {
    audience: 'person',
    rest: { method: 'POST', path: '/api/brand/orders/{id}/cancel', root: 'app' },
    scope: null,
    atLeast: 'admin',
    effect: 'write',
    idempotency: 'required',
    summary: 'Cancels an unpaid order: its link closes, its lines end, and its cents no longer count.',
    params: closed({ id: uuidInput().describe('The order id.') }),
    body: closed({ reason: codePoints({ max: 500 }).describe('The reason, stored in the audit.') }),
    output: BrandOrder,
    conflicts: ['order_paid', 'order_processing', 'bad_state'],
  },
});
