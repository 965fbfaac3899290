import { z } from 'zod';
import { ClockSetAnswer, ClockSetInput, OrderCampaign, OrderLine, RAILS } from '../facts.js';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperation } from '../operation.js';
import { QuotePart } from './compose-quote.js';

/** A refusal as it crosses the bus: the body that the caller of approve gets. */
export const RefusalFact = z.object({
  code: z.enum(['mandate_refused', 'conflict', 'unprocessable', 'not_found']),
  reason: publicText(),
  message: publicText(),
  details: z.record(z.string(), z.unknown()),
});

/** The plan as approve reads it before it reserves, with the first failing test of 2 to 8 (domain 3-orders 4.2). */
export const PlanTerms = z.object({
  plan_id: Uuid,
  campaign_id: Uuid,
  version: z.int(),
  terms_fingerprint: publicText(),
  total_cents: Cents,
  refusal: RefusalFact.nullable(),
});
export type PlanTerms = z.infer<typeof PlanTerms>;

/** Planning's unchangeable word on one signing (reliability 3.5). */
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
});
export type Verdict = z.infer<typeof Verdict>;

export const planningInternal = {
  plan_terms: defineOperation({
    name: 'plan_terms',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['billing'],
    summary: 'The terms of a plan and the first failing test of approval, at current prices.',
    body: z.object({
      id: z.string(),
      terms_fingerprint: z.string(),
      /** From billing: the key's spent cents of the month, and the brand terms in force. */
      spent_cents: z.int(),
      current_terms: z.object({ version: z.string(), number: z.int() }).nullable(),
      /** Where a person reads the current terms; told with terms_not_accepted. */
      terms_url: z.string().optional(),
    }),
    output: PlanTerms,
  }),
  plan_sign: defineOperation({
    name: 'plan_sign',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'write',
    byOwnId: true,
    callers: ['billing'],
    summary: 'Writes the verdict of a signing once and answers the verdict in force.',
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
      /** Where a person reads the current terms; told with terms_not_accepted. */
      terms_url: z.string().optional(),
      spent_cents: z.int(),
    }),
    output: Verdict,
  }),
  plan_sign_close: defineOperation({
    name: 'plan_sign_close',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'write',
    byOwnId: true,
    callers: ['billing'],
    summary: 'Closes a signing unless it has a verdict, and answers the verdict in force, whole.',
    body: z.object({ signing_id: z.string(), workspace: z.string() }),
    output: Verdict,
  }),
  context_set: defineOperation({
    name: 'context_set',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary:
      'Makes a new version of a workspace’s company context, confirmed at once; the same values again change nothing.',
    body: z.object({
      workspace: Uuid,
      workspace_name: z.string(),
      name: z.string().nullable(),
      summary: z.string().nullable(),
      audience: z.string().nullable(),
    }),
    output: z.object({ version: z.int() }),
  }),
  campaign_known: defineOperation({
    name: 'campaign_known',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway', 'metrics', 'proposals'],
    summary: 'Whether the workspace has a campaign of this id; else not_found.',
    body: z.object({ id: z.string() }),
    output: z.object({ campaign_id: Uuid }),
  }),
  campaign_input_problems: defineOperation({
    name: 'campaign_input_problems',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'What the day and the company context say against a campaign input, whatever else is wrong with it.',
    body: z.object({ sent: z.record(z.string(), z.unknown()) }),
    output: z.object({ problems: z.array(z.object({ field: publicText(), message: publicText() })) }),
  }),
  campaign_texts: defineOperation({
    name: 'campaign_texts',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['catalog'],
    summary: 'Whom a campaign of the workspace is for, in the words it was started with; else not_found.',
    body: z.object({ id: z.string() }),
    output: z.object({
      product: publicText().nullable(),
      audience: publicText().nullable(),
      geography: publicText().nullable(),
    }),
  }),
  planning_clock_set: defineOperation({
    name: 'planning_clock_set',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Moves a sandbox clock forward and runs what became due.',
    body: ClockSetInput,
    output: ClockSetAnswer,
  }),
} as const;
