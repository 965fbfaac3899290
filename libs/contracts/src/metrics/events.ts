import { z } from 'zod';
import { CREDIT_CAUSES } from '../billing/brand-orders.js';
import { defineEvent } from '../event.js';
import { Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { taskOpened } from '../task.js';
import { LineDispute } from './claims.js';
import { IntegrityItem } from './integrity.js';

/**
 * What makes up for a failed post (docs/domain/orders.md#remedies): `replace` searches for another creator; `credit`
 * owes `amount_cents`, or the line's price if null, and cancels a line without proof.
 */
export const PostRemedy = z.object({
  id: Uuid,
  kind: z.enum(['replace', 'credit']),
  cause: z.enum(CREDIT_CAUSES),
  amount_cents: Cents.nullable(),
  at: Timestamp,
});
export type PostRemedy = z.infer<typeof PostRemedy>;

/** The figures of one reading; null where the source gave none. */
const ReadingFigures = z.object({
  captured_at: Timestamp,
  views: Count.nullable(),
  clicks: Count.nullable(),
  likes: Count.nullable(),
  comments: Count.nullable(),
  shares: Count.nullable(),
});

/** The rest of a post's public state, without its link and what its creator wrote; entries are oldest first. */
const PostFacts = z.object({
  listed: z.boolean(),
  disclosed: z.boolean(),
  still_up: z.object({ checked_at: Timestamp, views: Count.nullable() }).nullable(),
  integrity: IntegrityItem.pick({ seq: true, kind: true, at: true, hash: true }).nullable(),
  claims: z.array(LineDispute.omit({ line_id: true, text: true, evidence: true })),
});

export const metricsEvents = {
  /** The proof of one line: live once accepted, completed once proved to be still up. */
  'post.changed': defineEvent({
    name: 'post.changed',
    service: 'metrics',
    consumers: ['planning', 'proposals', 'gateway'],
    endsWithReset: true,
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
      /** The proposal's attempt that the post belongs to. */
      attempt: z.int().optional(),
      remedy: PostRemedy.nullable().optional(),
      /** What is due next on the post: its kind, and when; null when nothing is. */
      next: z.object({ kind: publicText(), at: Timestamp }).nullable().optional(),
      /** Absent in events of older versions. */
      facts: PostFacts.optional(),
    }),
  }),
  /** What the readings of one line's post add up to, after each change of them. */
  'reading.taken': defineEvent({
    name: 'reading.taken',
    service: 'metrics',
    consumers: ['gateway'],
    endsWithReset: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      workspace: Uuid,
      line_id: Uuid,
      order_id: Uuid,
      plan_id: Uuid,
      campaign_id: Uuid,
      /** The proposal's attempt that the post belongs to. */
      attempt: z.int(),
      /** When that post was published: another one of the same attempt has another time. */
      published_at: Timestamp.nullable().optional(),
      snapshots: Count,
      latest: ReadingFigures,
      previous: ReadingFigures.nullable(),
      still_up: z.object({ checked_at: Timestamp, views: Count.nullable() }).nullable(),
    }),
  }),
  'metrics_task.opened': taskOpened('metrics'),
} as const;
