import { z } from 'zod';
import { Mandate, OrderInQuote, PaymentOption } from '../billing/resources.js';
import { FORMATS } from '../catalog/words.js';
import { CalendarDate, Cents, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { LINE_STAGE_IDS, LINE_STAGE_LABELS, PLAN_STATUSES } from './words.js';

/** The creator on a quote line; handle and profile link are null until the order is paid (spec, "QuoteLine"). */
export const QuoteCreator = z
  .object({
    id: Uuid.optional(),
    name: redactedText().nullable(),
    handle: paidText().nullable(),
    profile_url: paidText().nullable(),
    avatar_url: publicText().meta({ format: 'uri' }).optional(),
    followers: Count.optional(),
  })
  .meta({ id: 'QuoteCreator' });
export type QuoteCreator = z.infer<typeof QuoteCreator>;

/** One line of a quote (spec, "QuoteLine"). */
export const QuoteLine = z
  .object({
    id: Uuid,
    creator: QuoteCreator.nullable(),
    creator_id: Uuid.nullable(),
    unit_id: Uuid.nullable(),
    stage_id: z.enum(LINE_STAGE_IDS),
    stage: z.enum(LINE_STAGE_LABELS),
    channel: publicText(),
    channel_label: publicText(),
    format: z.enum(FORMATS).nullable(),
    deliverable: redactedText(),
    scheduled_date: CalendarDate,
    price_cents: Cents.meta({ description: 'All-in price in US cents, never split.' }),
    vetting: publicText().nullable(),
    reason: publicText().nullable(),
    expected_views_low: Count.nullable().meta({
      description: 'With expected_views_high: about two posts in three land in this range. null when unmeasured.',
    }),
    expected_views_high: Count.nullable(),
    on_sale: z.boolean(),
  })
  .meta({ id: 'QuoteLine' });
export type QuoteLine = z.infer<typeof QuoteLine>;

/** The sums of a quote (domain 2-plans 5.1). */
export const QuoteTotals = z
  .object({
    creators: Count,
    total_cents: Cents,
    views_low: Count.nullable(),
    views_high: Count.nullable(),
    unmeasured: Count,
    cpm_low_cents: Cents.nullable(),
    cpm_high_cents: Cents.nullable(),
    tiers: z.object({ nano: Count, micro: Count, mid: Count, macro: Count, mega: Count }),
    budget_cents: Cents.nullable(),
    remaining_cents: Cents.nullable(),
  })
  .meta({ id: 'QuoteTotals' });
export type QuoteTotals = z.infer<typeof QuoteTotals>;

/** The brand terms in force and those accepted for the asking key (spec, "Quote"). */
export const BrandTerms = z
  .object({
    current_version: publicText().nullable(),
    current_number: z.int().nullable(),
    url: publicText(),
    accepted_for_this_key: publicText().nullable(),
    accepted_number_for_this_key: z.int().nullable(),
  })
  .meta({ id: 'BrandTerms' });
export type BrandTerms = z.infer<typeof BrandTerms>;

/** The reasons a quote's policy can refuse with, in approval's order (domain 2-plans 5.5). */
export const POLICY_REASONS = [
  'plan_signed',
  'archived',
  'no_mandate',
  'mandate_expired',
  'channel_not_allowed',
  'approval_not_allowed',
  'terms_not_accepted',
  'over_budget',
  'lines_blocked',
  'over_max_plan_total',
  'over_monthly_cap',
] as const;
export type PolicyReason = (typeof POLICY_REASONS)[number];

/** Why this key could not sign now: the first failing test of approve with its facts (domain 3-orders 4.4). */
export const PolicyRefusal = z
  .object({
    code: z.enum(['mandate_refused', 'conflict']),
    reason: z.enum(POLICY_REASONS),
    escalate: z.literal(true).optional(),
    limit_cents: Cents.optional(),
    requested_cents: Cents.optional(),
    over_by_cents: Cents.optional(),
    spent_cents: Cents.optional(),
    budget_cents: Cents.optional(),
    total_cents: Cents.optional(),
    expired_at: Timestamp.optional(),
    approved_at: Timestamp.optional(),
    channels: z.array(publicText()).optional(),
    current_version: publicText().nullable().optional(),
    accepted_version: publicText().nullable().optional(),
    url: publicText().optional(),
    lines: z.array(z.object({ line_id: Uuid, price_cents: Cents, current_price_cents: Cents })).optional(),
    line_ids: z.array(Uuid).optional(),
  })
  .meta({ id: 'PolicyRefusal' });
export type PolicyRefusal = z.infer<typeof PolicyRefusal>;

/** Whether this key may sign the plan now (spec, "Quote", policy). */
export const Policy = z.object({ allowed: z.boolean(), refusal: PolicyRefusal.nullable() }).meta({ id: 'Policy' });
export type Policy = z.infer<typeof Policy>;

/** By how much a plan passes its campaign's budget at current prices (domain 2-plans 5.3). */
export const OverBudget = z
  .object({ budget_cents: Cents, total_cents: Cents, over_by_cents: Cents })
  .meta({ id: 'OverBudget' });
export type OverBudget = z.infer<typeof OverBudget>;

/** A plan as a key may sign it (spec, "Quote"). */
export const Quote = z
  .object({
    plan_id: Uuid,
    campaign_id: Uuid,
    version: z.int().min(1),
    status: z.enum(PLAN_STATUSES),
    currency: publicText(),
    launch_window_start: CalendarDate,
    launch_window_end: CalendarDate,
    terms_fingerprint: publicText().meta({ description: 'Send exactly this value to approve.' }),
    total_cents: Cents,
    totals: QuoteTotals,
    lines: z.array(QuoteLine),
    payment_options: z.array(PaymentOption),
    agent_payment: z.enum(['checkout', 'team_invoice']),
    brand_terms: BrandTerms,
    mandate: Mandate.nullable(),
    policy: Policy,
    blocked_lines: z.array(Uuid),
    over_budget: OverBudget.nullable(),
    order: OrderInQuote.nullable(),
    valid_while: z.literal('terms_fingerprint_unchanged'),
  })
  .meta({ id: 'Quote' });
export type Quote = z.infer<typeof Quote>;
