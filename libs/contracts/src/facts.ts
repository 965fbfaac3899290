import { z } from 'zod';
import { CalendarDate, Cents, Count, publicText, redactedText, Timestamp, Uuid } from './fields.js';

/** An audience as segments with weights that sum to 1 (domain 1-network 6.2). */
export const AudienceWeights = z.array(z.object({ id: publicText(), label: publicText(), weight: z.number() }));
export type AudienceWeights = z.infer<typeof AudienceWeights>;

/** What planning, billing and metrics keep of a unit at the time of a line. Views are null when unmeasured. */
export const UnitFacts = z.object({
  unit_id: Uuid,
  creator_id: Uuid,
  channel: publicText(),
  format: z.enum(['post', 'quote', 'thread']),
  deliverable: publicText(),
  /** Current all-in price; the last on file when not fresh. */
  price_cents: Cents,
  buyable: z.boolean(),
  /** Approved and active: an unlisted creator's unit cannot be added (404). */
  listed: z.boolean(),
  name: redactedText().nullable(),
  avatar_url: publicText().nullable(),
  followers: Count.nullable(),
  reach_band: publicText(),
  vetting: publicText().nullable(),
  expected_views: Count.nullable(),
  views_low: Count.nullable(),
  views_high: Count.nullable(),
  engagement_rate: z.number().nullable(),
  match_score: z.int().nullable(),
  match_label: publicText().nullable(),
});
export type UnitFacts = z.infer<typeof UnitFacts>;

/** A line as it was signed; the order freezes it (domain 3-orders 7). `number` counts from 1 within the plan. */
export const OrderLine = z.object({
  line_id: Uuid,
  number: z.int(),
  channel: publicText(),
  slot: publicText(),
  creator_id: Uuid.nullable(),
  unit_id: Uuid.nullable(),
  format: publicText().nullable(),
  deliverable: publicText(),
  scheduled_date: CalendarDate,
  price_cents: Cents,
  expected_views: Count.nullable(),
  views_low: Count.nullable(),
  views_high: Count.nullable(),
  engagement_rate: z.number().nullable(),
});
export type OrderLine = z.infer<typeof OrderLine>;

/** The campaign's facts that an order carries to proposals and metrics. */
export const OrderCampaign = z.object({
  campaign_id: Uuid,
  /** The ordinal of the campaign in its workspace, from 1: seeds the sandbox creators (domain 3-orders 16). */
  campaign_number: z.int(),
  campaign: publicText(),
  company: publicText().nullable(),
  product: publicText().nullable(),
  launch_window_start: CalendarDate,
  launch_window_end: CalendarDate,
});
export type OrderCampaign = z.infer<typeof OrderCampaign>;

export const PAYMENT_STATES = ['unpaid', 'processing', 'paid', 'partially_refunded', 'refunded', 'cancelled'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const RAILS = ['checkout', 'invoice'] as const;
export type Rail = (typeof RAILS)[number];

/** A due fact of a sandbox that no sweep has handled yet (domain 4-doors 7). */
export const DueFact = z.object({ kind: publicText(), due_at: Timestamp });
export type DueFact = z.infer<typeof DueFact>;

/**
 * Input and answer of `clock_set`: the offset only grows. `handled` counts the due facts that the call's sweeps handled,
 * `facts` what the service lately told of the workspace by any of its replicas; `behind`: facts of others are still under
 * way to it.
 */
export const ClockSetInput = z.object({ workspace: Uuid, offset_ms: z.int().min(0) });
export const ClockSetAnswer = z.object({ handled: z.int(), facts: z.int(), behind: z.boolean() });
export const DueAnswer = z.object({ pending: z.array(DueFact) });
export const WorkspaceInput = z.object({ workspace: Uuid });
