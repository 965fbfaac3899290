import { z } from 'zod';
import { FORMATS } from '../catalog/words.js';
import { Cents, Count, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { LEFT_OUT_LIMITS, LEFT_OUT_REASONS } from './words.js';

const Value = z.number().min(0);

/** What one line of a plan was worth when the plan was built. */
export const RationaleLine = z
  .object({
    line_id: Uuid,
    on_plan: z.boolean().meta({ description: 'Whether the line still stands on the plan.' }),
    creator_id: Uuid,
    format: z.enum(FORMATS),
    marginal_value: Value.meta({ description: 'What the plan as built would lose without this line, in value.' }),
    share: z.number().min(0).max(1).meta({ description: 'marginal_value as a part of value.' }),
    expected_views: Count,
    expected_views_low: Count,
    expected_views_high: Count,
  })
  .meta({ id: 'RationaleLine' });
export type RationaleLine = z.infer<typeof RationaleLine>;

/** One of the best creators that the builder left out, and why. */
export const LeftOutCreator = z
  .object({
    creator_id: Uuid,
    unit_id: Uuid,
    name: redactedText().nullable(),
    reach_band: publicText(),
    format: z.enum(FORMATS),
    value: Value.meta({ description: 'What it would have added to the plan as built, in value.' }),
    reason: z.enum(LEFT_OUT_REASONS),
    limit: z.enum(LEFT_OUT_LIMITS),
    why: publicText(),
    price_cents: Cents.nullable().meta({ description: 'All-in price now; null while the format is not on sale.' }),
  })
  .meta({ id: 'LeftOutCreator' });
export type LeftOutCreator = z.infer<typeof LeftOutCreator>;

/** Why the builder chose a plan; beyond the specification, and additive to it. */
export const PlanRationale = z
  .object({
    plan_id: Uuid,
    campaign_id: Uuid,
    plan_version: z.int().min(1).meta({ description: 'The version of the plan now.' }),
    reasons_version: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'The version that the reasons speak of; null when the builder did not choose the plan.' }),
    built_at: Timestamp.nullable(),
    note: publicText(),
    value: Value.nullable().meta({
      description:
        'Value of the plan as built, in qualified views: expected views weighed by match, trust in the figures, chance of acceptance and goal, each further one on the same topic and reach band adding less.',
    }),
    lines: z.array(RationaleLine),
    added_since: z.array(Uuid).meta({ description: 'Lines of the plan now that came after the reasons.' }),
    left_out: z.array(LeftOutCreator),
    gap: z
      .object({
        share: z.number().min(0).max(1).meta({
          description: 'The best plan under the same limits has at most value / (1 - share).',
        }),
        words: publicText(),
      })
      .nullable(),
  })
  .meta({ id: 'PlanRationale' });
export type PlanRationale = z.infer<typeof PlanRationale>;
