import { z } from 'zod';
import { FORMATS } from '../catalog/words.js';
import { defineEvent } from '../event.js';
import { CalendarDate, Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';
import { REPLACEMENTS } from './replacements.js';
import { NO_PLAN_REASONS } from './words.js';

/** The rest of a campaign's public state (docs/specification.md#campaignstatus). */
const CampaignFacts = z.object({
  objective: publicText().nullable(),
  created_at: Timestamp,
  intent_status: z.enum(['draft', 'ready']).nullable(),
  open_change: z.boolean(),
  sent_to_team_at: Timestamp.nullable(),
  budget_cents: Cents.nullable(),
  moment: publicText().nullable(),
  launch_post_url: publicText().nullable(),
  replacements: z.enum(REPLACEMENTS),
  no_plan: z.enum(NO_PLAN_REASONS).nullable(),
});

/** The rest of a plan's public state; creators by id (docs/specification.md#quote). */
const PlanFacts = z.object({
  version: z.int().min(1),
  currency: publicText(),
  launch_window_start: CalendarDate,
  launch_window_end: CalendarDate,
  sent_at: Timestamp,
  approved_at: Timestamp.nullable(),
  lines: z.array(
    z.object({
      id: Uuid,
      channel: publicText(),
      slot: publicText(),
      scheduled_date: CalendarDate,
      price_cents: Cents,
      creator_id: Uuid.nullable(),
      unit_id: Uuid.nullable(),
      format: z.enum(FORMATS).nullable(),
      expected_views_low: Count.nullable(),
      expected_views_high: Count.nullable(),
    }),
  ),
});

export const planningEvents = {
  'context.changed': defineEvent({
    name: 'context.changed',
    service: 'planning',
    consumers: ['catalog'],
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      name: publicText().nullable(),
      audience: publicText().nullable(),
    }),
  }),
  'campaign.changed': defineEvent({
    name: 'campaign.changed',
    service: 'planning',
    consumers: ['metrics', 'gateway'],
    endsWithReset: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      campaign_id: Uuid,
      campaign: publicText(),
      display_name: publicText(),
      company: publicText().nullable(),
      product: publicText().nullable(),
      window_start: CalendarDate,
      window_end: CalendarDate,
      archived_at: Timestamp.nullable(),
      guidelines: z.object({
        pitch: publicText(),
        key_messages: z.array(publicText()),
        references: z.array(publicText()),
        voice: publicText(),
        dos: z.array(publicText()),
        donts: z.array(publicText()),
      }),
      /** Absent in events of older versions. */
      status: CampaignFacts.optional(),
      /** The draft was deleted; this is its last event. */
      deleted: z.literal(true).optional(),
    }),
  }),
  'plan.changed': defineEvent({
    name: 'plan.changed',
    service: 'planning',
    consumers: ['catalog', 'gateway'],
    endsWithReset: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      campaign_id: Uuid,
      status: z.enum(['awaiting_approval', 'approved']),
      terms_fingerprint: publicText(),
      total_cents: z.int(),
      creator_ids: z.array(Uuid),
      /** Absent in events of older versions. */
      plan: PlanFacts.optional(),
    }),
  }),
  'planning_task.opened': taskOpened('planning'),
} as const;
