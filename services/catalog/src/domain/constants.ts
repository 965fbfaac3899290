/** Figures that the domain pages mark as assumptions, and the limits of the specification. Source: domain 1-network. */
import type { Format, ReachBand } from '@cds/contracts';

export const DAY_MS = 86_400_000;

/** The window of every figure, and how many posts of it are held (section 1). */
export const WINDOW_DAYS = 30;
export const HELD_POSTS = 30;
/** A post counts as settled at this age (section 1). */
export const MATURE_AGE_MS = DAY_MS;
/** Under so many settled posts a figure is null and a creator unmeasured (sections 1 and 2). */
export const LEAST_MEASURED = 3;
/** Posts under so many views say nothing about engagement (section 1). */
export const LEAST_VIEWS_FOR_RATE = 100;

/** Third-party text is bounded (A; reliability 4, S1): what is read of one, and what is kept of each. */
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

/** Lower bounds of the reach bands in followers (section 1). */
export const BAND_FLOORS: readonly (readonly [number, ReachBand])[] = [
  [1_000_000, 'mega'],
  [500_000, 'macro'],
  [50_000, 'mid'],
  [10_000, 'micro'],
  [0, 'nano'],
];

/** Version "views-1" of the views forecast (section 2); its constants never change under this name. */
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
/** Weight of the prior in posts, and of the prior spread in degrees of freedom. */
export const PRIOR_POSTS = 3;
export const PRIOR_DEGREES = 6;
export const PRIOR_SPREAD = 0.8;
/** Normal quantile of 80%: low and high are P20 and P80. */
export const QUANTILE_80 = 0.8416;

/** Prices (section 3): our share of the all-in price, and the step and bounds of an all-in price in cents. */
export const SHARE_PERCENT = 25;
export const PRICE_STEP_CENTS = 500;
export const PRICE_MIN_CENTS = 500;
export const PRICE_MAX_CENTS = 100_000_000;
/** A creator's price counts so many days, both ends counted (spec, "The bookable rule"). */
export const FRESH_DAYS = 30;

/** Text to segments (section 6.2). */
export const RESOLVED_LEAST = 2;
export const KEPT_LEAST = 1.6;
export const KEPT_SHARE_OF_BEST = 0.35;
export const SEGMENTS_OF_TEXT_MAX = 5;

/** Creator weights (section 6.3). */
export const POSTS_SHARE = 0.7;
export const BIO_SHARE = 0.3;
export const REACHES_FROM = 0.15;
export const SEGMENTS_SHOWN_MAX = 6;

/** Match score (section 7). */
export const FULL_WEIGHT = 0.35;
export const SCORE_PARTS = { topic: 0.55, reach: 0.2, engagement: 0.15, launches: 0.1 } as const;
export const UNMEASURED_REACH = 0.3;
export const UNKNOWN_ENGAGEMENT = 0.4;
export const OFF_TOPIC_UNDER = 0.15;
export const OFF_TOPIC_SCORE_MAX = 30;
export const GOOD_FIT_OVER = 50;
/** A quote is advised for a feature or a program only when it costs at most this part of a post per view. */
export const QUOTE_SAVES = 0.75;

/** Coverage (section 8). */
export const STRONG_FROM = 20;

/** Lists (section 9; spec, "Limits"). */
export const PAGE_SIZE = 24;
export const SHORTLIST = { least: 10, most: 50, unknown: 25, perPost: 3 } as const;

/** A candidate of a plan is synced at most so many days ago (domain 2-plans 3.1). */
export const CANDIDATE_SYNC_DAYS = 30;
/** So many bytes of candidates cross the bus in one answer, half of what a message may hold (reliability 3.14). */
export const CANDIDATES_PAGE_BYTES = 4_000_000;

/** The network's counts are kept at most so long (section 8). */
export const COUNTS_KEPT_MS = 5 * 60_000;

/** Creator-read meters (section 10; spec, "Limits"; reliability 3.8). */
export const METER = {
  readsPerMinute: 20,
  listsPerDay: 60,
  opensPerDay: 60,
  opensInTenMinutes: 40,
  pauseMs: 10 * 60_000,
  viewsPerDay: 300,
  attemptsKept: 32,
} as const;

/** Price asks of a workspace in 24 hours, and how long one that is being sent holds its place (section 11; reliability 3.7). */
export const ASKS = { perCreator: 3, perDay: 20, holdMs: 30_000 } as const;

/** Price estimate "price-1" (section 4): followers when they are unknown, comparables wanted, and the market without them. */
export const ESTIMATE_VERSION = 'price-1';
export const ESTIMATE_FOLLOWERS_UNKNOWN = 1_000;
export const COMPARABLES_LEAST = 8;
/** US dollars per 1,000 views of a band with too few comparables, and its quartiles as parts of it. */
export const CPM_OF_BAND: Readonly<Record<ReachBand, number>> = { nano: 28, micro: 24, mid: 20, macro: 16, mega: 13 };
export const CPM_QUARTILES = { lower: 0.7, upper: 1.4 } as const;
/** How engagement against the band's median moves an estimate. */
export const ENGAGEMENT_EFFECT = { power: 0.3, least: 0.8, most: 1.25 } as const;
/** Rounding steps in dollars: from each amount on, the step beside it. */
export const ESTIMATE_STEPS: readonly (readonly [number, number])[] = [
  [2_000, 100],
  [500, 25],
  [100, 10],
  [0, 5],
];
export const ESTIMATE_DAYS = 30;

/** A guest quote prices no format that fewer creators sell (section 4). */
export const GUEST_SELLERS_LEAST = 3;

/** Reasons of a match (section 7). */
export const REASONS_MAX = 3;
export const REASON_FROM = { topic: 0.5, reach: 0.7, engagement: 0.7 } as const;

/** Collaborations (section 7): what fills P, the days around a launch that count, and how many are shown. */
export const COLLABS_FULL = 3;
export const COLLAB_MONTHS = 12;
export const LAUNCH_DAYS = { before: 1, after: 7 } as const;
export const COLLABS_SHOWN_MAX = 12;
/** What is kept of posts for launches to come: so many posts per creator, and so many handles and links of one. */
export const EVIDENCE_KEPT_MAX = 200;
export const EVIDENCE_WORDS_MAX = 20;
/** Collaborations kept per creator, so that a document stays small. */
export const COLLABS_KEPT_MAX = 60;
