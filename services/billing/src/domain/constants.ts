/** How long a hold lasts without renewal (docs/reliability.md#authority). */
export const HOLD_MS = 5_000;
/** How often a runner renews its hold (docs/reliability.md#authority, docs/reliability.md#deadlines). */
export const RENEW_MS = 2_000;
/** The most holds that a key may have at once (docs/reliability.md#authority). */
export const MAX_HOLDS = 64;
/** How long after its admission an approval may reserve; longer than any request lives. */
export const ADMITTED_MS = 60_000;
/** How long the end of a right is kept; by then no approval admitted before it can still reserve. */
export const ENDED_KEPT_MS = 10 * ADMITTED_MS;
/** What a signing needs after waiting for other approvals; with less left it answers 503. */
export const SIGNING_RESERVE_MS = 3_000;
/** After this long an unfinished hold becomes an operator's task (docs/reliability.md#signing). */
export const STUCK_HOLD_MS = 600_000;

const DAY_MS = 86_400_000;
/** How long an order may stay unpaid before the clock cancels it (docs/domain/orders.md#payment-link). */
export const UNPAID_MS = 14 * DAY_MS;
/** How long a delayed sandbox payment takes (docs/domain/orders.md#rails). */
export const SETTLES_AFTER_MS = DAY_MS;
/** How far a rail's signature time may be from database time (docs/reliability.md#payment-events). */
export const SIGNATURE_TOLERANCE_MS = 300_000;
/** How old an open session is before the reconciler asks the rail about it (docs/reliability.md#payment-events). */
export const RECONCILE_AFTER_MS = 900_000;
/** How long a parked payment event waits for its payment before it is tried again. */
export const PARKED_MS = 30_000;
/** How long an event about an unknown payment waits for it. */
export const UNKNOWN_MS = DAY_MS;

/** The one currency (docs/domain/orders.md#payment-options). */
export const CURRENCY = 'USD';

/**
 * Refusals of a key and its children (docs/domain/orders.md#receipts): the first ten of a UTC day are kept for 13
 * months, the others for a week.
 */
export const REFUSAL_RECEIPTS = { longADay: 10, longDays: 396, shortDays: 7 } as const;
