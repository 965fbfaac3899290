import { z } from 'zod';
import { defineEvent } from '../event.js';
import { CalendarDate, publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

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
    consumers: ['metrics'],
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
    }),
  }),
  'plan.changed': defineEvent({
    name: 'plan.changed',
    service: 'planning',
    consumers: ['catalog'],
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
    }),
  }),
  'planning_task.opened': taskOpened('planning'),
} as const;
