import type { CreatorStatus, Format, ReachBand } from '@cds/contracts';
import type { Collab } from '../launches/collabs.js';

export type ViewsSource = 'network' | 'creator';

export const POST_COUNTS = ['views', 'likes', 'replies', 'reposts', 'quotes', 'bookmarks'] as const;

export type PostCounts = Record<(typeof POST_COUNTS)[number], number | null>;

export const countsOf = (count: (name: keyof PostCounts) => number | null): PostCounts =>
  Object.fromEntries(POST_COUNTS.map((name) => [name, count(name)])) as PostCounts;

/** A stored post: cleaned text, without a link or the social network's id. */
export type HeldPost = PostCounts & {
  kind: Format;
  published_at: Date;
  text: string;
};

/** The current price of a unit: the newest row by as_of, then recorded_at. */
export type CurrentPrice = {
  price_cents: number;
  source: 'team' | 'creator';
  method: 'set_price' | 'agreed_rate' | 'stated';
  as_of: string;
  recorded_at: Date;
};

export type Unit = {
  unit_id: string;
  format: Format;
  label: string;
  deliverable: string;
  price: CurrentPrice | null;
  /** The creator's own net ask beside a price set by the team; absent without one. */
  asked_cents?: number;
};

export type ViewsRange = { mid: number; low: number; high: number };
export type ExpectedViews = Readonly<Record<Format, ViewsRange>>;

export type SegmentWeight = { id: string; w: number; posts: number };

export type KeptSummary = {
  posts: number;
  capped: boolean;
  sample_median_views: number | null;
  top_post: { views: number; excerpt: string } | null;
  recurring: string[];
  latest_at: Date;
};

export type Figures = {
  reach_band: ReachBand;
  median_views_30d: number | null;
  engagement_rate_30d: number | null;
  posts_per_week: number | null;
  posts_measured: number;
  /** How many posts are stored; absent until the creator's next sync. */
  posts_held?: number;
  expected_views: ExpectedViews | null;
  views_series: number[];
  posts_summary: KeptSummary | null;
  positioning: string | null;
  weights: SegmentWeight[];
};

/**
 * `concern` describes the worst failed check. `unpassed` names those that warned or failed; absent in older documents.
 */
export type Vetting = {
  passed: number;
  of: number;
  on: string;
  inactive: boolean;
  concern: string | null;
  unpassed?: string[];
};

export type CheckResult = { check: string; result: 'pass' | 'warn' | 'fail'; figure: number | string | boolean | null };

export type SyncReview = Vetting & { checks: CheckResult[]; proposal: 'approved' | 'borderline' | 'declined' };

export type Account = { created_at: Date | null; protected: boolean; parody: boolean; withheld: boolean };

export type PastSync = { at: Date; followers: number | null; median_views: number | null };

export type Pinned = { weights: { id: string; w: number }[] | null; flag: boolean | null; language: boolean };

export type SaleStatus = {
  status: CreatorStatus;
  active: boolean;
  flag_inactive: boolean;
  excluded: boolean;
  manual_only: boolean;
};

/** What still has to be done in the identity database for a creator that has left. */
export type Chore =
  | {
      kind: 'erase';
      /** The id the social network knew it by, so that an import recognises who left; null without one. */
      network_id: string | null;
    }
  | { kind: 'merge'; into: string; takes_identity: boolean };

export type Creator = SaleStatus &
  Figures & {
    _id: string;
    network_id: string;
    name: string | null;
    bio: string | null;
    followers: number | null;
    verified_badge: boolean | null;
    country: string | null;
    language: string | null;
    /** The file name of its picture on our own origin; null or absent without one. */
    avatar?: string | null;
    vetting: Vetting | null;
    views_source: ViewsSource;
    synced_at: Date | null;
    refresh_failed_at: Date | null;
    units: Unit[];
    posts: HeldPost[];
    /** Launches and paid partnerships in display order; absent if none were ever looked for. */
    collabs?: Collab[];
    generated: { seed: number; index: number } | null;
    account?: Account;
    sync_review?: SyncReview | null;
    /** The syncs of the last week, oldest first; absent on creators last synced before they were stored. */
    past_syncs?: PastSync[];
    pinned?: Pinned | null;
    /** The operator's notes and the reason of an exclusion. Neither is ever shown to a brand. */
    notes?: string | null;
    exclusion_reason?: string | null;
    /** Of an inactive creator: a pause of its own, which it may end; absent or false if the team's. */
    own_pause?: boolean;
    erased_at?: Date;
    merged_into?: string;
    chore?: Chore;
    decided_at?: Date | null;
    /** The network version of the creator's last change; replicas sync by it. */
    network_version: number;
  };

export type PriceRow = CurrentPrice & {
  _id: string;
  unit_id: string;
  creator_id: string;
  net_ask_cents: number;
  set_by: string;
};

/** Where a creator's picture comes from. `avatar_due_at` is set while it has to be fetched, with the tries so far. */
export type AvatarAsked = { avatar_source: string | null; avatar_due_at?: Date; avatar_tries?: number };

export type Identity = AvatarAsked & {
  _id: string;
  handle: string;
  handle_lower: string;
  url: string;
  /** The network version of the identity's last change; replicas sync by it. */
  network_version?: number;
};
