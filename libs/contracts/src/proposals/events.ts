import { z } from 'zod';
import { CREDIT_CAUSES } from '../billing/brand-orders.js';
import { defineEvent } from '../event.js';
import { CalendarDate, Cents, Count, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

export const PROPOSAL_STATES = ['sending', 'sent', 'accepted', 'declined', 'no_reply', 'unfilled'] as const;

/** A creator who may take a line over (docs/domain/orders.md#replacement-search). */
export const ReplacementCandidate = z
  .object({
    unit_id: Uuid,
    creator_id: Uuid,
    name: redactedText().nullable(),
    price_cents: Cents,
    expected_views: Count.nullable(),
    match_score: z.int().nullable(),
  })
  .meta({ id: 'ReplacementCandidate' });
export type ReplacementCandidate = z.infer<typeof ReplacementCandidate>;

/** Money that a line owes to the brand; billing makes one credit of each cause (docs/domain/orders.md#credits). */
export const LineCredit = z.object({ cause: z.enum(CREDIT_CAUSES), amount_cents: Cents, at: Timestamp });
export type LineCredit = z.infer<typeof LineCredit>;

export const proposalsEvents = {
  /** One line of a paid order: its creator, its newest proposal and whether a date is booked. */
  'line.changed': defineEvent({
    name: 'line.changed',
    service: 'proposals',
    consumers: ['planning', 'catalog', 'billing', 'metrics', 'gateway'],
    endsWithReset: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      sandbox: z.boolean(),
      line_id: Uuid,
      /** The line's number in the plan and the newest proposal's attempt, both from 1. */
      number: z.int(),
      attempt: z.int(),
      order_id: Uuid,
      plan_id: Uuid,
      campaign_id: Uuid,
      campaign_number: z.int(),
      /** The seed of the sandbox's creators; absent where it is the first one (docs/domain/sandbox.md#reset). */
      seed: z.int().optional(),
      creator_id: Uuid,
      unit_id: Uuid.nullable(),
      format: publicText().nullable(),
      deliverable: publicText(),
      scheduled_date: CalendarDate,
      booked: z.boolean(),
      cancelled: z.boolean(),
      expected_views: Count.nullable(),
      views_low: Count.nullable(),
      views_high: Count.nullable(),
      engagement_rate: z.number().nullable(),
      proposal: z.object({
        state: z.enum(PROPOSAL_STATES),
        replaced_creator_id: Uuid.nullable(),
        updated_at: Timestamp,
        /** When a proposal that awaits its answer expires; null for another. */
        expires_at: Timestamp.nullable().optional(),
      }),
      /** The search for a replacement: its next look, and until when the brand chooses among whom; null without one. */
      search: z
        .object({
          next_at: Timestamp.nullable(),
          choose_until: Timestamp.nullable(),
          candidates: z.array(ReplacementCandidate),
        })
        .nullable()
        .optional(),
      /** When the clock cancels the line with its credit unless somebody books it first; null once it is booked. */
      ends_at: Timestamp.nullable().optional(),
      /** Why the line was cancelled while its order continued; null otherwise. */
      cancel_cause: z.enum(CREDIT_CAUSES).nullable().optional(),
      credits: z.array(LineCredit).optional(),
    }),
  }),
  'proposals_task.opened': taskOpened('proposals'),
} as const;
