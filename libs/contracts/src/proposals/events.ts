import { z } from 'zod';
import { defineEvent } from '../event.js';
import { CalendarDate, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

export const PROPOSAL_STATES = ['sending', 'sent', 'accepted', 'declined', 'no_reply', 'unfilled'] as const;

export const proposalsEvents = {
  /** One line of a paid order: its creator, its newest proposal and whether a date is booked. */
  'line.changed': defineEvent({
    name: 'line.changed',
    service: 'proposals',
    consumers: ['planning', 'catalog', 'metrics'],
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
      }),
    }),
  }),
  'proposals_task.opened': taskOpened('proposals'),
} as const;
