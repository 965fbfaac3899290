import { z } from 'zod';
import { Count, publicText, redactedText, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { AudienceWeights } from './audience.js';

/** A creator that the plan builder may choose (docs/domain/plans.md#candidates), with its buyable units. */
export const Candidate = z.object({
  creator_id: Uuid,
  name: redactedText().nullable(),
  avatar_url: publicText().nullable(),
  followers: Count.nullable(),
  reach_band: publicText(),
  country: publicText().nullable(),
  posts_per_week: z.number().nullable(),
  views_source: z.enum(['network', 'creator']),
  vetting: publicText().nullable(),
  engagement_rate: z.number().nullable(),
  match_score: z.int().nullable(),
  match_label: publicText().nullable(),
  /** What ties the creator to the audience, in running text; absent when a replica of an older release answers. */
  match_topic: publicText().nullable().optional(),
  /** The creator's weights on the audience's segments, in their order; empty if the audience is unresolved. */
  weights: z.array(z.number()),
  /** Whether the creator's country is in the campaign's regions: null if unknown, absent for a worldwide campaign. */
  in_regions: z.boolean().nullable().optional(),
  units: z.array(
    z.object({
      unit_id: Uuid,
      format: z.enum(['post', 'quote', 'thread']),
      deliverable: publicText(),
      price_cents: z.int(),
      expected_views: z.int(),
      views_low: z.int(),
      views_high: z.int(),
    }),
  ),
});
export type Candidate = z.infer<typeof Candidate>;

export const candidateOperations = defineOperations('catalog', {
  plan_candidates: {
    ...internalReads,
    callers: ['planning'],
    summary:
      'Resolves the audience text and returns the candidates of a plan by creator id, in pages that any replica can continue.',
    body: z.object({
      audience: z.string().nullable(),
      geography: z.string().nullable().optional(),
      page: z.string().nullable().optional(),
    }),
    output: z.object({
      segments: AudienceWeights,
      unresolved: z.boolean(),
      /** The regions that are preferred; absent when a replica of an older release answers. */
      regions: z.array(publicText()).optional(),
      next: publicText().nullable(),
      candidates: z.array(Candidate),
    }),
  },
});
