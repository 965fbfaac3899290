import { z } from 'zod';
import { OrderCampaign, OrderLine } from '../billing/orders.js';
import { RAILS } from '../billing/payments.js';
import { CalendarDate, Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads, internalWrites } from '../operation-kinds.js';
import { QuotePart } from './quote.js';

/** A refusal as it crosses the bus: the body that the caller of approve gets. */
export const RefusalFact = z.object({
  code: z.enum(['mandate_refused', 'conflict', 'unprocessable', 'not_found']),
  reason: publicText(),
  message: publicText(),
  details: z.record(z.string(), z.unknown()),
});

/**
 * What an approval was judged by, at the network's time `at`. `on_sale`: its unit is for sale and its date has not
 * passed.
 */
export const ApprovalEvidence = z.object({
  at: Timestamp,
  budget_cents: Cents.nullable(),
  lines: z.array(
    z.object({
      line_id: Uuid,
      unit_id: Uuid.nullable(),
      scheduled_date: CalendarDate,
      price_cents: Cents,
      current_price_cents: Cents,
      on_sale: z.boolean(),
    }),
  ),
});
export type ApprovalEvidence = z.infer<typeof ApprovalEvidence>;

/** The plan before approve reserves, with the first failing check of 2 to 8 (docs/domain/orders.md#approve-checks). */
export const PlanTerms = z.object({
  plan_id: Uuid,
  campaign_id: Uuid,
  version: z.int(),
  terms_fingerprint: publicText(),
  total_cents: Cents,
  channels: z.array(publicText()),
  refusal: RefusalFact.nullable(),
  /** Absent in answers of an older release. */
  evidence: ApprovalEvidence.optional(),
});
export type PlanTerms = z.infer<typeof PlanTerms>;

/** Planning's final decision on one signing; it never changes (docs/reliability.md#signing). */
export const Verdict = z.object({
  signing_id: Uuid,
  kind: z.enum(['signed', 'refused', 'closed']),
  plan_id: Uuid.nullable(),
  order_id: Uuid.nullable(),
  total_cents: Cents.nullable(),
  approved_at: Timestamp.nullable(),
  lines: z.array(OrderLine),
  campaign: OrderCampaign.nullable(),
  quote: QuotePart.nullable(),
  refusal: RefusalFact.nullable(),
  /** Absent when nothing was judged, and in verdicts of an older release. */
  evidence: ApprovalEvidence.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

export const signingOperations = defineOperations('planning', {
  plan_terms: {
    ...internalReads,
    callers: ['billing'],
    summary: 'Returns the terms of a plan and the first failing check of approve, at current prices.',
    body: z.object({
      id: z.string(),
      terms_fingerprint: z.string(),
      /** What the caller expects to pay; plan_sign then insists on the total of this answer. */
      expected_total_cents: z.int().optional(),
      /** From billing: what the key has spent this month, and the brand terms in force. */
      spent_cents: z.int(),
      /** What the parent of a child key has spent this month, its children's part included. */
      parent_spent_cents: z.int().optional(),
      current_terms: z.object({ version: z.string(), number: z.int() }).nullable(),
      /** Where a person reads the current terms; part of a terms_not_accepted refusal. */
      terms_url: z.string().optional(),
    }),
    output: PlanTerms,
  },
  plan_sign: {
    ...internalWrites,
    byOwnId: true,
    callers: ['billing'],
    summary: 'Writes the verdict of a signing once and returns the verdict in force.',
    body: z.object({
      signing_id: z.string(),
      id: z.string(),
      order_id: z.string(),
      version: z.int(),
      terms_fingerprint: z.string(),
      total_cents: z.int(),
      approved_at: z.string(),
      rail: z.enum(RAILS),
      pay_token: z.string(),
      pay_expires_at: z.string(),
      current_terms: z.object({ version: z.string(), number: z.int() }).nullable(),
      terms_url: z.string().optional(),
      spent_cents: z.int(),
      parent_spent_cents: z.int().optional(),
    }),
    output: Verdict,
  },
  plan_sign_close: {
    ...internalWrites,
    byOwnId: true,
    callers: ['billing'],
    summary: 'Closes a signing unless it has a verdict, and returns the full verdict in force.',
    body: z.object({ signing_id: z.string(), workspace: z.string() }),
    output: Verdict,
  },
});
