/** The shapes of the network's facts: what an importer hands in, and what catalog keeps. No identity text is part of the kept ones. */
import type { CreatorStatus, Format, ReachBand } from '@cds/contracts';
import type { Collab } from '../launches/collabs.js';

export type ViewsSource = 'network' | 'creator';

/** A held post: cleaned text, no link, no id of the social network. */
export type HeldPost = {
  kind: Format;
  published_at: Date;
  text: string;
  views: number | null;
  likes: number | null;
  replies: number | null;
  reposts: number | null;
  quotes: number | null;
  bookmarks: number | null;
};

/** The current price of a unit: the newest row by as_of, then recorded_at. */
export type CurrentPrice = {
  price_cents: number;
  source: 'team' | 'creator';
  method: 'set_price' | 'agreed_rate' | 'stated';
  as_of: string;
  recorded_at: Date;
};

/** A format of a creator; `unit_id` is stable over price changes. */
export type Unit = {
  unit_id: string;
  format: Format;
  label: string;
  deliverable: string;
  price: CurrentPrice | null;
  /** What the creator asks, net, where the team has set the price; absent where it asks nothing else. */
  asked_cents?: number;
};

export type ViewsRange = { mid: number; low: number; high: number };
export type ExpectedViews = Readonly<Record<Format, ViewsRange>>;

/** How much a creator speaks to a segment, and in how many held posts. */
export type SegmentWeight = { id: string; w: number; posts: number };

export type KeptSummary = {
  posts: number;
  capped: boolean;
  sample_median_views: number | null;
  top_post: { views: number; excerpt: string } | null;
  recurring: string[];
  latest_at: Date;
};

/** The figures that a sync computes from posts and profile (domain 1-network 1, 2 and 6.3). */
export type Figures = {
  reach_band: ReachBand;
  median_views_30d: number | null;
  engagement_rate_30d: number | null;
  posts_per_week: number | null;
  posts_measured: number;
  /** How many posts are held; absent on creators that were last synced before it was counted. */
  posts_held?: number;
  expected_views: ExpectedViews | null;
  views_series: number[];
  posts_summary: KeptSummary | null;
  positioning: string | null;
  weights: SegmentWeight[];
};

/** The result of the vetting checks; `concern` is the text of the worst one, null when all passed. */
export type Vetting = { passed: number; of: number; on: string; inactive: boolean; concern: string | null };

/** One check of a sync with the figure it read; null and "warn" where the figure is unknown. */
export type CheckResult = { check: string; result: 'pass' | 'warn' | 'fail'; figure: number | string | boolean | null };

/** What the newest sync found, for the person who decides. */
export type SyncReview = Vetting & { checks: CheckResult[]; proposal: 'approved' | 'borderline' | 'declined' };

/** The account as the network last stated it; no identity text. */
export type Account = { created_at: Date | null; protected: boolean; parody: boolean; withheld: boolean };

/** What a sync found that later ones are compared with. */
export type PastSync = { at: Date; followers: number | null; median_views: number | null };

/** What an operator has fixed against the syncs: weights on segments, the inactive flag. */
export type Pinned = { weights: { id: string; w: number }[] | null; flag: boolean | null; language: boolean };

/** The switches and the status that decide whether a creator is listed and sold (domain 1-network 5). */
export type SaleStatus = {
  status: CreatorStatus;
  active: boolean;
  flag_inactive: boolean;
  excluded: boolean;
  manual_only: boolean;
};

/** What is left to do in the identity database once a creator has left; it stands on the creator until it is done. */
export type Chore =
  | {
      kind: 'erase';
      /** The network's id of it until then, by which an import knows that it left; null where the network knew it by none. */
      network_id: string | null;
    }
  | { kind: 'merge'; into: string; takes_identity: boolean };

/** A creator as catalog keeps it. Handle and link live in the identity database alone (reliability 3.9). */
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
    /** The name of its picture at our own origin; null or absent without one. */
    avatar?: string | null;
    vetting: Vetting | null;
    views_source: ViewsSource;
    synced_at: Date | null;
    refresh_failed_at: Date | null;
    units: Unit[];
    posts: HeldPost[];
    /** Launches and paid partnerships, in the order they are shown in; absent where none was ever looked for. */
    collabs?: Collab[];
    generated: { seed: number; index: number } | null;
    account?: Account;
    sync_review?: SyncReview | null;
    /** The syncs of the last week, the oldest first; absent where none came since they are kept. */
    past_syncs?: PastSync[];
    pinned?: Pinned | null;
    /** The operator's own notes, and why the creator is excluded; neither is ever shown to a brand. */
    notes?: string | null;
    exclusion_reason?: string | null;
    /** When an operator erased it; what it was and said is gone. */
    erased_at?: Date;
    /** The creator that it is, where it was held twice. */
    merged_into?: string;
    chore?: Chore;
    /** When an operator last decided the status. */
    decided_at?: Date | null;
    /** The version of the network at the last change of this creator; replicas follow by it. */
    network_version: number;
  };

/** One price row; rows are only ever added (domain 1-network 3). */
export type PriceRow = CurrentPrice & {
  _id: string;
  unit_id: string;
  creator_id: string;
  net_ask_cents: number;
  set_by: string;
};

/**
 * Where a creator's picture comes from. `avatar_due_at` stands while it is to be fetched, with the number of tries so far.
 */
export type AvatarAsked = { avatar_source: string | null; avatar_due_at?: Date; avatar_tries?: number };

/** What identity knows of a creator (reliability 3.9). */
export type Identity = AvatarAsked & {
  _id: string;
  handle: string;
  handle_lower: string;
  url: string;
  post_urls: string[];
  /** The version of the network at the last change of this identity; replicas follow by it. */
  network_version?: number;
};
