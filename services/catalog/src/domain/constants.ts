import type { Format, ReachBand } from '@cds/contracts';

export const DAY_MS = 86_400_000;

/** The window of every figure, and the most posts of it that we store (docs/domain/network.md#posts-and-figures). */
export const WINDOW_DAYS = 30;
export const HELD_POSTS = 30;
/** Views of a younger post still grow, so it counts in no figure (docs/domain/network.md#posts-and-figures). */
export const MATURE_AGE_MS = DAY_MS;
/** With fewer mature posts, a figure is null and the creator unmeasured. */
export const LEAST_MEASURED = 3;
/** Posts with fewer views do not count towards engagement (docs/domain/network.md#posts-and-figures). */
export const LEAST_VIEWS_FOR_RATE = 100;

/** Limits on third-party text (A; docs/reliability.md#threats). */
export const RAW_TEXT_MAX = 4_000;
export const NAME_MAX = 100;
export const BIO_MAX = 1_000;
export const LABEL_MAX = 100;
export const DELIVERABLE_MAX = 300;
export const PLACE_MAX = 100;
export const PARTNER_MAX = 120;
export const POST_TEXT_MAX = 280;
export const EXCERPT_MAX = 200;
export const POSITIONING_MAX = 120;
export const RECURRING_MAX = 5;
export const RECURRING_LEAST_POSTS = 3;

/** Lower bounds of the reach bands in followers (docs/domain/network.md#posts-and-figures). */
export const BAND_FLOORS: readonly (readonly [number, ReachBand])[] = [
  [1_000_000, 'mega'],
  [500_000, 'macro'],
  [50_000, 'mid'],
  [10_000, 'micro'],
  [0, 'nano'],
];

/** Views forecast "views-1" (docs/domain/network.md#expected-views). A change needs a new version name. */
export const VIEWS_VERSION = 'views-1';
export const VIEWS_PER_FOLLOWER: Readonly<Record<ReachBand, number>> = {
  nano: 0.2,
  micro: 0.15,
  mid: 0.1,
  macro: 0.07,
  mega: 0.05,
};
export const FORMAT_FACTOR: Readonly<Record<Format, number>> = { post: 1, quote: 0.8, thread: 1.1 };
export const PAID_FACTOR = 0.85;
/** The prior's weight in posts, and its spread's in degrees of freedom. */
export const PRIOR_POSTS = 3;
export const PRIOR_DEGREES = 6;
export const PRIOR_SPREAD = 0.8;
/** The normal quantile of 80%: low and high are P20 and P80. */
export const QUANTILE_80 = 0.8416;

/** Prices in cents (docs/domain/network.md#prices): our share of the all-in price, and its step and bounds. */
export const SHARE_PERCENT = 25;
export const PRICE_STEP_CENTS = 500;
export const PRICE_MIN_CENTS = 500;
export const PRICE_MAX_CENTS = 100_000_000;
/** How many days a price stated by a creator stays fresh, inclusive (docs/specification.md#the-bookable-rule). */
export const FRESH_DAYS = 30;

/** Text to segments (docs/domain/network.md#audience-text). */
export const RESOLVED_LEAST = 2;
export const KEPT_LEAST = 1.6;
export const KEPT_SHARE_OF_BEST = 0.35;
export const SEGMENTS_OF_TEXT_MAX = 5;

/** Creator weights (docs/domain/network.md#creator-weights). */
export const POSTS_SHARE = 0.7;
export const BIO_SHARE = 0.3;
export const REACHES_FROM = 0.15;
export const SEGMENTS_SHOWN_MAX = 6;

/** Match score (docs/domain/network.md#match-score). */
export const FULL_WEIGHT = 0.35;
export const SCORE_PARTS = { topic: 0.55, reach: 0.2, engagement: 0.15, launches: 0.1 } as const;
export const UNMEASURED_REACH = 0.3;
export const UNKNOWN_ENGAGEMENT = 0.4;
export const OFF_TOPIC_UNDER = 0.15;
export const OFF_TOPIC_SCORE_MAX = 30;
export const GOOD_FIT_OVER = 50;
/** A quote is recommended for a feature or program only if its cost per view is at most this part of a post's. */
export const QUOTE_SAVES = 0.75;

/** Coverage (docs/domain/network.md#coverage). */
export const STRONG_FROM = 20;

/** Lists (docs/domain/network.md#shortlist, docs/specification.md#limits). */
export const PAGE_SIZE = 24;
export const SHORTLIST = { least: 10, most: 50, unknown: 25, perPost: 3 } as const;

/** The oldest sync, in days, of a plan candidate (docs/domain/plans.md#candidates). */
export const CANDIDATE_SYNC_DAYS = 30;
/** Bytes of candidates in one answer: half the maximum message size (docs/reliability.md#requests-between-services). */
export const CANDIDATES_PAGE_BYTES = 4_000_000;

/** How long the network's counts are cached (docs/domain/network.md#coverage). */
export const COUNTS_KEPT_MS = 5 * 60_000;

/** Creator-read meters (docs/domain/network.md#read-limits, docs/reliability.md#read-meter). */
export const METER = {
  readsPerMinute: 20,
  listsPerDay: 60,
  opensPerDay: 60,
  opensInTenMinutes: 40,
  pauseMs: 10 * 60_000,
  viewsPerDay: 300,
  attemptsKept: 32,
} as const;

/** Price asks of a workspace in 24 hours, and how long one being sent holds its place. */
export const ASKS = { perCreator: 3, perDay: 20, holdMs: 30_000 } as const;

/** Price estimate "price-1" (docs/domain/network.md#price-estimates). */
export const ESTIMATE_VERSION = 'price-1';
export const ESTIMATE_FOLLOWERS_UNKNOWN = 1_000;
export const COMPARABLES_LEAST = 8;
/** Dollars per 1,000 views for a band with too few comparables, and its quartiles relative to that. */
export const CPM_OF_BAND: Readonly<Record<ReachBand, number>> = { nano: 28, micro: 24, mid: 20, macro: 16, mega: 13 };
export const CPM_QUARTILES = { lower: 0.7, upper: 1.4 } as const;
/** How engagement relative to the band's median moves an estimate. */
export const ENGAGEMENT_EFFECT = { power: 0.3, least: 0.8, most: 1.25 } as const;
/** Rounding steps in dollars: from each amount on, the step beside it. */
export const ESTIMATE_STEPS: readonly (readonly [number, number])[] = [
  [2_000, 100],
  [500, 25],
  [100, 10],
  [0, 5],
];
export const ESTIMATE_DAYS = 30;

export const GUEST_SELLERS_LEAST = 3;

export const REASONS_MAX = 3;
export const REASON_FROM = { topic: 0.5, reach: 0.7, engagement: 0.7 } as const;

/** Collaborations: how many earn the full part of the score, the days around a launch, how many are shown. */
export const COLLABS_FULL = 3;
export const COLLAB_MONTHS = 12;
export const LAUNCH_DAYS = { before: 1, after: 7 } as const;
export const COLLABS_SHOWN_MAX = 12;
export const EVIDENCE_KEPT_MAX = 200;
export const EVIDENCE_WORDS_MAX = 20;
/** Collaborations stored per creator, so that its document stays small. */
export const COLLABS_KEPT_MAX = 60;
