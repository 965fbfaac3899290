import { z } from 'zod';
import { CalendarDate, Cents, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { CREATOR_STATUSES, FORMATS, NETWORK_CHANNELS, REACH_BANDS, VIEWS_SOURCES } from './words.js';

/** One audience segment of the taxonomy (spec, "Segment"). */
export const Segment = z.object({ id: publicText(), label: publicText() }).meta({ id: 'Segment' });
export type Segment = z.infer<typeof Segment>;

/** How one channel reaches an audience (spec, "ChannelFit"). */
export const ChannelFit = z
  .object({
    channel: z.enum(NETWORK_CHANNELS),
    label: publicText(),
    sale: z.enum(['live', 'next']),
    level: z.enum(['strong', 'thin', 'none']),
    verified_nodes: Count.meta({ description: 'Approved creators reaching the audience.' }),
    bookable_nodes: Count.meta({ description: 'Of those, bookable now; never above verified_nodes.' }),
    priced_units: Count.meta({ description: 'Posts, not creators, on sale at a current price.' }),
    note: publicText(),
  })
  .meta({ id: 'ChannelFit' });
export type ChannelFit = z.infer<typeof ChannelFit>;

/** Counts over the whole network, whatever the filter (spec, "Creators"). */
export const CatalogCounts = z.object({ approved: Count, priced: Count }).meta({ id: 'CatalogCounts' });
export type CatalogCounts = z.infer<typeof CatalogCounts>;

/** Network coverage per channel (spec, "Inventory"). Only the guest door adds `catalog` (domain 1-network 8). */
export const Inventory = z
  .object({
    segments: z.array(Segment),
    unresolved: z.boolean(),
    coverage_as_of: Timestamp.nullable(),
    channels: z.array(ChannelFit),
    catalog: CatalogCounts.optional(),
  })
  .meta({ id: 'Inventory' });
export type Inventory = z.infer<typeof Inventory>;

/** How the network fits a described audience (spec, "AudienceFit"). */
export const AudienceFit = z
  .object({
    version: z.literal(1),
    computed_at: Timestamp,
    coverage_as_of: Timestamp.nullable(),
    segments: z.array(Segment),
    regions: z.array(publicText()),
    unresolved: z.boolean(),
    channels: z.array(ChannelFit),
    thin: z.boolean(),
    summary: publicText(),
  })
  .meta({ id: 'AudienceFit' });
export type AudienceFit = z.infer<typeof AudienceFit>;

/** The public counts of the network (domain 4-doors 3.1). */
export const NetworkFacts = z.object({ approved: Count, priced: Count, as_of: Timestamp }).meta({ id: 'NetworkFacts' });
export type NetworkFacts = z.infer<typeof NetworkFacts>;

/** Where a price or an estimate comes from (domain 1-network 3). */
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

/** The inputs of the views forecast of one offering; never a cost or a fee (domain 1-network 2). */
export const OfferingCalc = z
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
export type OfferingCalc = z.infer<typeof OfferingCalc>;

/** A format that a creator sells (spec, "Offering"). */
export const Offering = z
  .object({
    unit_id: Uuid,
    format: z.enum(FORMATS),
    label: publicText(),
    deliverable: redactedText().nullable(),
    price_cents: Cents.meta({ description: 'All-in price in US cents; the last price on file when not buyable.' }),
    buyable: z.boolean(),
    price_as_of: CalendarDate,
    expected_views: Count.nullable().meta({ description: 'Views of one paid post; null when unmeasured.' }),
    cost_per_1k_views_cents: Cents.nullable(),
    provenance: Provenance,
    calc: OfferingCalc,
  })
  .meta({ id: 'Offering' });
export type Offering = z.infer<typeof Offering>;

/** What a creator with nothing on sale might cost; never a price (spec, "Creator"; domain 1-network 4). */
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

/** Why a creator fits the audience in force (domain 1-network 7). */
export const MatchReason = z
  .object({ kind: z.enum(['topic', 'reach', 'past_launches', 'engagement']), text: publicText() })
  .meta({ id: 'MatchReason' });
export type MatchReason = z.infer<typeof MatchReason>;

/** Which format to buy, and why (domain 1-network 7). */
export const FormatAdvice = z
  .object({ recommended: z.enum(['post', 'quote']).nullable(), reason: publicText() })
  .meta({ id: 'FormatAdvice' });
export type FormatAdvice = z.infer<typeof FormatAdvice>;

/**
 * The brand of a launch as a list row shows it. Its strings come from the operator's launch list or from a post's text,
 * so they count as third-party text; the avatar is rehosted by us.
 */
export const ListedBrand = z
  .object({ avatar_url: publicText().nullable(), site: redactedText().nullable(), initials: redactedText().nullable() })
  .meta({ id: 'ListedBrand' });

/** The brand of a launch in a creator read: the handle is the brand's, never a creator's. */
export const CollabBrand = ListedBrand.extend({ handle: redactedText().nullable() }).meta({ id: 'CollabBrand' });

/** A launch or paid partnership as a list row shows it: no link, no brand handle (spec, "Creator"). */
export const ListedCollab = z
  .object({
    project: redactedText(),
    title: redactedText().nullable(),
    date: CalendarDate.nullable(),
    role: z.enum(['Launch post', 'Quoted the launch', 'Paid partnership']),
    brand: ListedBrand,
  })
  .meta({ id: 'ListedCollab' });
export type ListedCollab = z.infer<typeof ListedCollab>;

/** A launch or paid partnership in a creator read; `url` is null there (spec, "Creator"). */
export const PastCollab = ListedCollab.extend({ url: paidText().nullable(), brand: CollabBrand }).meta({
  id: 'PastCollab',
});
export type PastCollab = z.infer<typeof PastCollab>;

/** One post of a creator with its figures; `url` is null in every creator read (domain 1-network 1). */
export const RecentPost = z
  .object({
    kind: z.enum(FORMATS),
    published_at: Timestamp,
    text: redactedText(),
    views: Count.nullable(),
    likes: Count.nullable(),
    replies: Count.nullable(),
    reposts: Count.nullable(),
    quotes: Count.nullable(),
    bookmarks: Count.nullable(),
    url: paidText().nullable(),
  })
  .meta({ id: 'RecentPost' });
export type RecentPost = z.infer<typeof RecentPost>;

/** What the held posts of the last 30 days say together (spec, "Creator", posts_summary). */
export const PostsSummary = z
  .object({
    posts: Count,
    window_days: Count,
    capped: z.boolean(),
    median_views: Count.nullable()
      .optional()
      .meta({ deprecated: true, description: 'Same as posts_sample_median_views; removed 2027-01-11.' }),
    posts_sample_median_views: Count.nullable(),
    top_post: z.object({ url: paidText().nullable(), views: Count, excerpt: redactedText() }).nullable(),
    recurring: z.array(redactedText()),
    latest_at: Timestamp,
    as_of: Timestamp,
  })
  .meta({ id: 'PostsSummary' });
export type PostsSummary = z.infer<typeof PostsSummary>;

const shared = {
  id: Uuid,
  name: redactedText().nullable(),
  status: z.enum(CREATOR_STATUSES),
  status_label: z.enum(['Not reviewed', 'Reviewed', 'Under review']),
  status_reason: publicText(),
  in_automatic_plans: z.boolean(),
  match_score: z.int().min(0).max(100).nullable(),
  match_label: publicText().nullable(),
  on_sale: z.boolean(),
  reach_band: z.enum(REACH_BANDS),
  median_views_30d: Count.nullable()
    .optional()
    .meta({ deprecated: true, description: 'Same as median_views_30d_network; removed 2027-01-11.' }),
  median_views_30d_network: Count.nullable(),
  followers: Count.nullable(),
  verified_badge: z.boolean().nullable(),
  country: redactedText().nullable(),
  language: redactedText().nullable(),
  segments: z.array(publicText()),
  bio: redactedText().nullable(),
  positioning: redactedText().nullable(),
  avatar_url: publicText().nullable(),
  ask_price: z.boolean(),
  price_estimate: PriceEstimate.nullable(),
  engagement_rate_30d: z.number().min(0).nullable(),
  posts_per_week: z.number().min(0).nullable(),
  match_reasons: z.array(MatchReason),
  offerings: z.array(Offering),
  synced_at: Timestamp.nullable(),
  refresh_failed_at: Timestamp.nullable(),
  advice: FormatAdvice,
} as const;

/** A row of a creator list (spec, "Creator and CreatorSummary"). */
export const CreatorSummary = z
  .object({
    ...shared,
    past_collabs: z.array(ListedCollab).max(12),
    views_series: z.array(z.int().min(0).max(100)).max(30),
  })
  .meta({ id: 'CreatorSummary' });
export type CreatorSummary = z.infer<typeof CreatorSummary>;

/** One creator in full; `handle` and `url` are null in every creator read (spec, "Creator"). */
export const Creator = z
  .object({
    ...shared,
    past_collabs: z.array(PastCollab).max(12),
    handle: paidText().nullable(),
    url: paidText().nullable(),
    recent_posts: z.array(RecentPost).max(30),
    posts_summary: PostsSummary.nullable(),
  })
  .meta({ id: 'Creator' });
export type Creator = z.infer<typeof Creator>;

/** A page of a creator list (spec, "Creators"). */
export const Creators = z
  .object({
    total: Count,
    priced: Count,
    catalog: CatalogCounts.optional(),
    cap: Count,
    limit: Count,
    offset: Count,
    creators: z.array(CreatorSummary),
  })
  .meta({ id: 'Creators' });
export type Creators = z.infer<typeof Creators>;

/** The answer of a price request (spec, "POST /creators/{id}/price-request"). */
export const PriceRequest = z
  .object({
    requested: z.boolean(),
    already: z.boolean(),
    status: z.enum(['requested', 'priced']),
    requested_at: Timestamp,
  })
  .meta({ id: 'PriceRequest' });
export type PriceRequest = z.infer<typeof PriceRequest>;

/** What a development network holds. */
export const DevNetwork = z
  .object({ creators: Count, newest_synced_at: Timestamp.nullable() })
  .meta({ id: 'DevNetwork' });
export type DevNetwork = z.infer<typeof DevNetwork>;
