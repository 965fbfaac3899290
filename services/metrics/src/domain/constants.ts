export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** When readings are due, in hours after published_at (docs/domain/orders.md#results). */
export const READING_HOURS = [1, 6, 24, 48, 72, 7 * 24, 14 * 24, 30 * 24] as const;
export const STILL_UP_MS = 7 * DAY_MS;
/** After this many full days past its date without a post, a line is blocked (docs/domain/orders.md#line-status). */
export const LATE_DAYS = 3;
/** How long a creator has to disclose a post that was looked at (docs/domain/orders.md#proof). */
export const DISCLOSE_WITHIN_MS = DAY_MS;
export const REMEDY_AFTER_MS = 2 * DAY_MS;
export const REPLACEABLE_UNTIL_MS = 2 * DAY_MS;
export const VIEWS_FELL_SHARE = 0.05;
export const CLAIM_DECIDED_WITHIN_MS = 5 * DAY_MS;
export const CLAIM_PLAYED_AFTER_MS = DAY_MS;
/**
 * When a reading is unusual (A, docs/domain/orders.md#unusual-readings): the least robust z-score of its views, the
 * least number of posts for one, the rise over the expected views otherwise, and the fall of its engagement.
 */
export const ROBUST_Z = 3.5;
export const HISTORY_LEAST = 5;
export const VIEWS_RISE_TO = 3;
export const ENGAGEMENT_FALLS_TO = 1 / 3;
export const COMPARE_FROM_MS = DAY_MS;

/** A sandbox creator posts on the date below the first u(live), 1 to 3 days late below the second, else never (A). */
export const ON_TIME_UNDER = 0.92;
export const LATE_UNDER = 0.98;
export const POSTS_FROM_HOUR = 9;
export const POSTS_UNTIL_HOUR = 21;
/** The label shows at once below the first u(disclosure), later below the second, else never (A). */
export const DISCLOSED_UNDER = 0.94;
export const DISCLOSED_LATER_UNDER = 0.99;
export const DISCLOSED_LATER_MS = 12 * HOUR_MS;
/** The disclosure of a sandbox post, as an operator who sees the label notes it (docs/domain/orders.md#proof). */
export const SANDBOX_DISCLOSURE = 'Paid partnership label';
export const LOOK_AFTER_MS = HOUR_MS;
export const POSTS_AGAIN_AFTER_MS = 12 * HOUR_MS;
/** Below this u(gone) a post is deleted after 1 to 6 days; below the next u(repost) it is back within a day (A). */
export const GONE_UNDER = 0.015;
export const GONE_DAYS = { least: 1, most: 6 } as const;
export const REPOSTS_UNDER = 0.5;
export const REPOST_WITHIN_MS = DAY_MS;
export const VIEWS_SPREAD = 0.6;
/** How views grow with age, fitted to "The Half-Life of a Tweet" (ICWSM 2023). */
export const VIEWS_SCALE_MS = 154 * 60_000;
export const VIEWS_SHAPE = 0.56;
export const UNMEASURED_VIEWS = 1_000;
export const DEFAULT_RATE_PERCENT = 1.6;
export const ENGAGEMENT_SHARES = { likes: 0.7, shares: 0.14, comments: 0.1, bookmarks: 0.06 } as const;
export const CLICKS_PER_VIEW = 0.0042;

export const LISTED_ENTRIES = 500;
export const PLAYED_ENTRIES = 30;
export const LISTED_POSTS = 500;
export const X_EPOCH_MS = 1_288_834_974_657;
