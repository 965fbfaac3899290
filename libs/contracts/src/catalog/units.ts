import { z } from 'zod';
import { Cents, Count, publicText, redactedText, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { AudienceWeights } from './audience.js';

/** What planning, billing and metrics store of a unit when a line is made. Views are null if unmeasured. */
export const UnitFacts = z.object({
  unit_id: Uuid,
  creator_id: Uuid,
  channel: publicText(),
  format: z.enum(['post', 'quote', 'thread']),
  deliverable: publicText(),
  /** The current all-in price, or the last known one if it is not fresh. */
  price_cents: Cents,
  buyable: z.boolean(),
  /** Not buyable only because the price is older than 30 days; absent when a replica of an older release answers. */
  stale: z.boolean().optional(),
  /** Approved and active. An unlisted creator's unit cannot be added (404). */
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
  /** What ties the creator to the audience, in running text; absent when a replica of an older release answers. */
  match_topic: publicText().nullable().optional(),
});
export type UnitFacts = z.infer<typeof UnitFacts>;

export const unitOperations = defineOperations('catalog', {
  unit_facts: {
    ...internalReads,
    callers: ['planning'],
    summary: 'Returns price, sale and views of units, read from the database with majority. Unknown ids are left out.',
    body: z.object({ unit_ids: z.array(z.string()), audience: AudienceWeights }),
    output: z.object({ units: z.array(UnitFacts) }),
  },
});
