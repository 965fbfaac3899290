import { z } from 'zod';
import { AudienceWeights, ClockSetAnswer, ClockSetInput, UnitFacts } from '../facts.js';
import { Count, paidText, publicText, redactedText, Uuid } from '../fields.js';
import { defineOperation } from '../operation.js';

/** A creator that the plan builder may choose (domain 2-plans 3.1), with its buyable units. */
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
  /** Weights of the creator on the audience's segments, in the audience's order; empty when the audience is unresolved. */
  weights: z.array(z.number()),
  /** Whether the creator's country lies in the regions of the campaign: null unknown; absent when they are worldwide. */
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

export const catalogInternal = {
  audience_resolve: defineOperation({
    name: 'audience_resolve',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['planning', 'gateway'],
    summary: 'Resolves a text to audience segments with weights.',
    body: z.object({ text: z.string() }),
    output: z.object({ segments: AudienceWeights, unresolved: z.boolean() }),
  }),
  plan_candidates: defineOperation({
    name: 'plan_candidates',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['planning'],
    summary:
      'Resolves the audience text and answers the candidates of a plan by creator id, in pages; any replica answers the page after an earlier one.',
    body: z.object({
      audience: z.string().nullable(),
      geography: z.string().nullable().optional(),
      page: z.string().nullable().optional(),
    }),
    output: z.object({
      segments: AudienceWeights,
      unresolved: z.boolean(),
      next: publicText().nullable(),
      candidates: z.array(Candidate),
    }),
  }),
  unit_facts: defineOperation({
    name: 'unit_facts',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['planning'],
    summary: 'Current price, sale and views of units, read from the database with majority; unknown ids are left out.',
    body: z.object({ unit_ids: z.array(z.string()), audience: AudienceWeights }),
    output: z.object({ units: z.array(UnitFacts) }),
  }),
  identity_reveal: defineOperation({
    name: 'identity_reveal',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['planning', 'proposals', 'metrics'],
    summary:
      'Handles and profile links of creators that a paid order of the workspace holds, by catalog’s own record; others are left out.',
    body: z.object({ order_id: z.string(), creator_ids: z.array(z.string()) }),
    output: z.object({ creators: z.array(z.object({ creator_id: Uuid, handle: paidText(), url: paidText() })) }),
  }),
  avatar_read: defineOperation({
    name: 'avatar_read',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'The picture of a random name, in base64; null for a name of none.',
    body: z.object({ name: z.string() }),
    output: z.object({ data: publicText().nullable() }),
  }),
  catalog_upload_chunk: defineOperation({
    name: 'catalog_upload_chunk',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Keeps one chunk of a file that an operator sends, in base64, until its import reads it.',
    body: z.object({ upload_id: z.string(), number: z.int(), data: z.string() }),
    output: z.object({ kept: z.boolean() }),
  }),
  catalog_clock_set: defineOperation({
    name: 'catalog_clock_set',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Moves a sandbox clock forward and runs what became due.',
    body: ClockSetInput,
    output: ClockSetAnswer,
  }),
} as const;
