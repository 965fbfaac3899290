import { z } from 'zod';
import { Cents, publicText } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { OrderInQuote, PaymentOption } from './payments.js';

export const QuoteFacts = z.object({
  payment_options: z.array(PaymentOption),
  agent_payment: z.enum(['checkout', 'team_invoice']),
  payments_open: z.boolean(),
  /** The largest total that can be paid by card; absent where card payments have no end. */
  cards_end_at_cents: Cents.optional(),
  /** The smallest total that can be paid by card; absent where any can. */
  cards_begin_at_cents: Cents.optional(),
  current_terms: z.object({ version: publicText(), number: z.int() }).nullable(),
  accepted_terms_number: z.int().nullable(),
  terms_url: publicText(),
  spent_this_month_cents: Cents,
  /** What the parent of a child key has spent this month; absent for any other key. */
  parent_spent_cents: Cents.optional(),
  order: OrderInQuote.nullable(),
});
export type QuoteFacts = z.infer<typeof QuoteFacts>;

export const quoteFactsOperations = defineOperations('billing', {
  quote_facts: {
    ...internalReads,
    callers: ['planning'],
    summary: 'Returns billing’s part of a quote for the asking key: rails, terms, spend and the order.',
    body: z.object({ order_id: z.string().nullable() }),
    output: QuoteFacts,
  },
});
