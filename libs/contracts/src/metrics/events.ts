import { z } from 'zod';
import { defineEvent } from '../event.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

export const metricsEvents = {
  /** The proof of one line: live once its post is accepted, completed once it is proved to be still up. */
  'post.changed': defineEvent({
    name: 'post.changed',
    service: 'metrics',
    consumers: ['planning', 'proposals'],
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      line_id: Uuid,
      order_id: Uuid,
      plan_id: Uuid,
      campaign_id: Uuid,
      status: z.enum(['booked', 'live', 'blocked', 'completed']),
      /** Why a blocked line is blocked: post_missing, post_gone or no_disclosure. */
      blocked_reason: publicText().nullable(),
      published_at: Timestamp.nullable(),
      still_up_at: Timestamp.nullable(),
    }),
  }),
  'metrics_task.opened': taskOpened('metrics'),
} as const;
