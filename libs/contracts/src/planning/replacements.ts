import { z } from 'zod';
import { Cents, Count, publicText, redactedText, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

/** Whether the search replaces at once, or asks the brand for a day (docs/domain/orders.md#replacement-search). */
export const REPLACEMENTS = ['auto', 'ask'] as const;
export type Replacements = (typeof REPLACEMENTS)[number];

/** A unit that can take a paid line over, as catalog sells it now. */
export const Replacement = z.object({
  unit_id: Uuid,
  creator_id: Uuid,
  name: redactedText().nullable(),
  channel: publicText(),
  format: z.enum(['post', 'quote', 'thread']),
  deliverable: publicText(),
  price_cents: Cents,
  expected_views: Count.nullable(),
  views_low: Count.nullable(),
  views_high: Count.nullable(),
  engagement_rate: z.number().nullable(),
  match_score: z.int().nullable(),
});
export type Replacement = z.infer<typeof Replacement>;

const line = { campaign_id: z.string(), line_id: z.string() };

export const replacementOperations = defineOperations('planning', {
  replacement_candidates: {
    ...internalReads,
    callers: ['proposals'],
    summary: 'Returns who may take paid lines of a campaign over, best first, and whether the brand is asked before.',
    body: z.object({
      campaign_id: z.string(),
      /** Creators to leave out: for all of the lines, and for one. */
      exclude: z.array(z.string()),
      lines: z.array(z.object({ line_id: z.string(), exclude: z.array(z.string()) })),
      most: z.int().min(1),
    }),
    output: z.object({
      replacements: z.enum(REPLACEMENTS),
      candidates: z.array(Replacement),
      /** The best units of each line; a line that the plan does not have is left out. */
      lines: z.array(z.object({ line_id: Uuid, unit_ids: z.array(Uuid) })),
    }),
  },
  replacement_unit: {
    ...internalReads,
    callers: ['proposals'],
    summary: 'Returns a unit that somebody chose for a paid line, if it may take the line over.',
    body: z.object({ ...line, unit_id: z.string(), exclude: z.array(z.string()) }),
    output: z.object({ replacement: Replacement }),
  },
});
