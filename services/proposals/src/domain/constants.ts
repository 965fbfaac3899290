const HOUR_MS = 3_600_000;

/** How long a creator has to answer (docs/specification.md#limits: proposal answer window). */
export const ANSWER_WINDOW_MS = 48 * HOUR_MS;
/** After this long undelivered, a proposal becomes no_reply (A, docs/domain/orders.md#proposals). */
export const UNDELIVERED_MS = 24 * HOUR_MS;

/** How long a creator's link lives after its line was completed or cancelled (docs/domain/pages.md#creator-links). */
export const LINK_AFTER_MS = 30 * 24 * HOUR_MS;

/** The search ends when less than this is left of the launch window (docs/domain/orders.md#replacement-search). */
export const SEARCH_UNTIL_MS = 48 * HOUR_MS;
/** A replacement's day is at least this far ahead (docs/domain/orders.md#replacement-search). */
export const REPLACED_AHEAD_MS = 48 * HOUR_MS;
export const SEARCH_HOUR = 6;
/** For how long the brand may choose before the search does, and among how many (A). */
export const CHOICE_MS = 24 * HOUR_MS;
export const CHOICES = 3;
/** A creator who declined the workspace is not asked again for this long (docs/domain/orders.md#replacement-search). */
export const DECLINED_FOR_MS = 30 * 24 * HOUR_MS;
/** Nearer to its date than this, a booked line that the brand cancels owes half (docs/domain/orders.md#credits). */
export const FULL_CREDIT_MS = 48 * HOUR_MS;

/** A booked day may move to this many days after the launch window (A, docs/domain/orders.md#line-status). */
export const MOVED_UNTIL_DAYS = 14;

/** A sandbox creator accepts below this u(answer), declines below the next, else ignores (A). */
export const ACCEPTS_UNDER = 0.68;
export const DECLINES_UNDER = 0.84;
export const ANSWER_MEDIAN_MS = 9 * HOUR_MS;
export const ANSWER_SPREAD = 0.9;
export const ANSWER_AT_LEAST_MS = 10 * 60_000;
export const ANSWER_AT_MOST_MS = 47 * HOUR_MS;
/** Below this u(date) a sandbox creator accepts with the line's date, else books later (A). */
export const BOOKS_AT_ONCE_UNDER = 0.8;
export const BOOKS_LATER_MS = 12 * HOUR_MS;
export const LATE_UNDER = 0.15;
export const LATE_ANSWER_MS = 52 * HOUR_MS;
