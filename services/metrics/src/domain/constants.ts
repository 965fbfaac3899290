export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** When readings are due after published_at, in hours (domain 3-orders 13). */
export const READING_HOURS = [1, 6, 24, 48, 72, 7 * 24, 14 * 24, 30 * 24] as const;
/** The age from which a reading proves that a post is still up (spec, "EvidenceItem", still_up). */
export const STILL_UP_MS = 7 * DAY_MS;
/** Full days after its date without a post until a line is blocked (domain 3-orders 10.1). */
export const LATE_DAYS = 3;
/** A post younger than this is not compared with what was expected (domain 3-orders 13). */
export const COMPARE_FROM_MS = DAY_MS;

/** Under which u(live) a sandbox creator posts on the date, and under which one to three days late; else never (A, domain 3-orders 16). */
export const ON_TIME_UNDER = 0.92;
export const LATE_UNDER = 0.98;
/** The hours of the day, UTC, in which a sandbox creator posts (A, domain 3-orders 16). */
export const POSTS_FROM_HOUR = 9;
export const POSTS_UNTIL_HOUR = 21;
/** Under which u(disclosure) the label stands at once, and under which it comes later; else never (A, domain 3-orders 16). */
export const DISCLOSED_UNDER = 0.94;
export const DISCLOSED_LATER_UNDER = 0.99;
export const DISCLOSED_LATER_MS = 12 * HOUR_MS;
/** The disclosure of a sandbox post, as an operator who saw the label would note it (domain 3-orders 12). */
export const SANDBOX_DISCLOSURE = 'Paid partnership label';
/** Spread of final views around the expected ones (A, domain 3-orders 16). */
export const VIEWS_SPREAD = 0.6;
/** Growth of views with age, fitted to "The Half-Life of a Tweet" (ICWSM 2023; domain 3-orders 16). */
export const VIEWS_SCALE_MS = 154 * 60_000;
export const VIEWS_SHAPE = 0.56;
/** Views expected of a sandbox post whose line expects none (A). */
export const UNMEASURED_VIEWS = 1_000;
/** Engagements per view, in percent, of a creator without a rate (A, domain 3-orders 16). */
export const DEFAULT_RATE_PERCENT = 1.6;
/** How engagements divide, and clicks per view (A, domain 3-orders 16). */
export const ENGAGEMENT_SHARES = { likes: 0.7, shares: 0.14, comments: 0.1, bookmarks: 0.06 } as const;
export const CLICKS_PER_VIEW = 0.0042;

/** Posts listed when no campaign is named (A, domain 4-doors 3.1). */
export const LISTED_POSTS = 500;
/** The instant that X counts its post ids from (domain 3-orders 12). */
export const X_EPOCH_MS = 1_288_834_974_657;
