import { z } from 'zod';
import { CalendarDate, Cents, Count, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { FORMATS, REACH_BANDS, VIEWS_SOURCES } from './words.js';

/** Where a price or an estimate comes from (docs/domain/network.md#prices). */
export const Provenance = z
  .object({
    source: z.enum(['team', 'creator', 'model']),
    method: z.enum(['set_price', 'agreed_rate', 'stated', 'price-1']),
    measured_at: Timestamp,
    expires_at: Timestamp.nullable(),
    label: z.enum(['Verified', 'Creator-reported', 'Estimated']),
    stale: z.boolean(),
    as_of: Timestamp.nullable(),
  })
  .meta({ id: 'Provenance' });
export type Provenance = z.infer<typeof Provenance>;

/** The inputs of an offering's views forecast; never a cost or a fee (docs/domain/network.md#expected-views). */
const OfferingCalc = z
  .object({
    calc_version: publicText(),
    inputs: z.object({
      posts_measured: Count,
      median_views: Count.nullable(),
      followers: Count.nullable(),
      reach_band: z.enum(REACH_BANDS),
      format: z.enum(FORMATS),
      format_factor: z.number(),
      paid_factor: z.number(),
      views_source: z.enum(VIEWS_SOURCES),
    }),
  })
  .meta({ id: 'OfferingCalc' });

/** A format that a creator sells (docs/specification.md#offering). */
export const Offering = z
  .object({
    unit_id: Uuid,
    format: z.enum(FORMATS),
    label: publicText(),
    deliverable: redactedText().nullable(),
    price_cents: Cents.meta({ description: 'All-in price in US cents. If not buyable, the last known price.' }),
    buyable: z.boolean(),
    price_as_of: CalendarDate,
    expected_views: Count.nullable().meta({ description: 'Expected views of one paid post; null if unmeasured.' }),
    cost_per_1k_views_cents: Cents.nullable(),
    provenance: Provenance,
    calc: OfferingCalc,
  })
  .meta({ id: 'Offering' });
export type Offering = z.infer<typeof Offering>;

/** For a creator with nothing on sale; never a price (docs/domain/network.md#price-estimates). */
export const PriceEstimate = z
  .object({
    min_usd: Count,
    max_usd: Count,
    label: publicText(),
    provenance: Provenance,
    calc: z.object({
      calc_version: publicText(),
      inputs: z.object({
        views: Count,
        views_basis: z.enum(['posts', 'followers']),
        reach_band: z.enum(REACH_BANDS),
        engagement_rate: z.number().min(0).nullable(),
        comparables: Count,
      }),
    }),
  })
  .meta({ id: 'PriceEstimate' });
export type PriceEstimate = z.infer<typeof PriceEstimate>;

export const FormatAdvice = z
  .object({ recommended: z.enum(['post', 'quote']).nullable(), reason: publicText() })
  .meta({ id: 'FormatAdvice' });
export type FormatAdvice = z.infer<typeof FormatAdvice>;
