import type { CreatorSummary, FormatAdvice, Goal, MatchReason, Output, PriceEstimate } from '@cds/contracts';
import { WINDOW_DAYS } from '../domain/constants.js';
import { isBookable, isInAutomaticPlans } from '../domain/creator/bookable.js';
import { type Creator, countsOf, type HeldPost } from '../domain/creator/creator.js';
import { segmentsShown } from '../domain/creator/weights.js';
import { matchLabel } from '../domain/matching/score.js';
import { adviceFor } from '../domain/pricing/format-advice.js';
import { statusLabel, statusReason } from '../domain/vetting/vetting.js';
import { avatarUrl } from './avatar.js';
import { presentCollabs } from './collab.js';
import { presentOffering } from './offering.js';

/** The stored fields that no list row needs: posts, and what only syncs and operators read. */
export type OffRows =
  | 'posts'
  | 'posts_summary'
  | 'account'
  | 'sync_review'
  | 'past_syncs'
  | 'pinned'
  | 'notes'
  | 'exclusion_reason'
  | 'own_pause'
  | 'decided_at';

/** The stored fields behind a list row; those of every listed creator are in memory. */
export type RowFacts = Omit<Creator, OffRows>;

type PerRequest = 'match_score' | 'match_label' | 'match_reasons' | 'advice' | 'median_views_30d' | 'price_estimate';

/** The fields that no request changes; they are valid for one day of the network. */
export const presentShared = (
  creator: RowFacts,
  day: string,
  appUrl: string,
): Omit<CreatorSummary, PerRequest | 'past_collabs' | 'views_series'> => {
  const onSale = isBookable(creator, day);
  return {
    id: creator._id,
    name: creator.name,
    status: creator.status,
    status_label: statusLabel(creator.status),
    status_reason: statusReason(creator.status, creator.vetting),
    in_automatic_plans: isInAutomaticPlans(creator, day),
    on_sale: onSale,
    reach_band: creator.reach_band,
    median_views_30d_network: creator.median_views_30d,
    followers: creator.followers,
    verified_badge: creator.verified_badge,
    country: creator.country,
    language: creator.language,
    segments: segmentsShown(creator.weights),
    bio: creator.bio,
    positioning: creator.positioning,
    avatar_url: avatarUrl(creator, appUrl),
    ask_price: !onSale,
    engagement_rate_30d: creator.engagement_rate_30d,
    posts_per_week: creator.posts_per_week,
    offerings: creator.units.flatMap((unit) => presentOffering(creator, unit, day) ?? []),
    synced_at: creator.synced_at?.toISOString() ?? null,
    refresh_failed_at: creator.refresh_failed_at?.toISOString() ?? null,
  };
};

export const presentAdvice = (creator: RowFacts, day: string, goal: Goal | null): FormatAdvice => {
  const offerings = creator.units.flatMap((unit) => presentOffering(creator, unit, day) ?? []);
  const onSale = offerings.filter(({ buyable }) => buyable);
  const cost = (format: 'post' | 'quote'): number | null => {
    const offering = onSale.find((one) => one.format === format);
    return offering === undefined ? null : (offering.cost_per_1k_views_cents ?? Number.POSITIVE_INFINITY);
  };
  return adviceFor(
    {
      measured: creator.expected_views !== null,
      postCost: cost('post'),
      quoteCost: cost('quote'),
      others: onSale.some(({ format }) => format !== 'post' && format !== 'quote'),
    },
    goal,
  );
};

const presentPost = (post: HeldPost) => ({
  kind: post.kind,
  published_at: post.published_at.toISOString(),
  text: post.text,
  ...countsOf((name) => post[name]),
  url: null,
});

const presentSummary = (creator: Creator, withSampleMedian: boolean): Output<'creator_get'>['posts_summary'] => {
  const { posts_summary: kept, synced_at: syncedAt } = creator;
  if (kept === null || syncedAt === null) return null;
  return {
    posts: kept.posts,
    window_days: WINDOW_DAYS,
    capped: kept.capped,
    ...(withSampleMedian && { median_views: kept.sample_median_views }),
    posts_sample_median_views: kept.sample_median_views,
    top_post: kept.top_post === null ? null : { url: null, ...kept.top_post },
    recurring: kept.recurring,
    latest_at: kept.latest_at.toISOString(),
    as_of: syncedAt.toISOString(),
  };
};

/** `score` is null without an audience; `estimate` is null for a bookable or unlisted creator. */
export type Reading = {
  day: string;
  appUrl: string;
  score: number | null;
  audience: string | null;
  reasons: MatchReason[];
  estimate: PriceEstimate | null;
  withMedianViews: boolean;
  withSampleMedian: boolean;
};

export const presentCreator = (
  creator: Creator,
  { day, appUrl, score, audience, reasons, estimate, withMedianViews, withSampleMedian }: Reading,
): Output<'creator_get'> => ({
  ...presentShared(creator, day, appUrl),
  ...(withMedianViews && { median_views_30d: creator.median_views_30d }),
  match_score: score,
  match_label: score === null ? null : matchLabel(score, audience),
  match_reasons: reasons,
  advice: presentAdvice(creator, day, null),
  price_estimate: estimate,
  past_collabs: presentCollabs(creator),
  handle: null,
  url: null,
  recent_posts: creator.status === 'approved' ? creator.posts.map(presentPost) : [],
  posts_summary: presentSummary(creator, withSampleMedian),
});
