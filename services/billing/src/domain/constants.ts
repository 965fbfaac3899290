/** How long a hold lasts without renewal (reliability 3.4). */
export const HOLD_MS = 5_000;
/** How often a runner renews its hold (reliability 3.4, 3.20). */
export const RENEW_MS = 2_000;
/** The most holds that a key may have at once (reliability 3.4). */
export const MAX_HOLDS = 64;
/** What a signing needs after waiting for others' cents; with less time left it answers 503. */
export const SIGNING_RESERVE_MS = 3_000;
/** After this long an unfinished hold becomes an operator's task (reliability 3.5). */
export const STUCK_HOLD_MS = 600_000;

const DAY_MS = 86_400_000;
/** How long an order may stay unpaid before the clock cancels it (domain 3-orders 6.3). */
export const UNPAID_MS = 14 * DAY_MS;
/** How long a delayed sandbox payment takes to settle (domain 3-orders 6.2). */
export const SETTLES_AFTER_MS = DAY_MS;
/** How far a rail's signature time may be from database time (reliability 3.10). */
export const SIGNATURE_TOLERANCE_MS = 300_000;
/** How old an open session is before the reconciler asks the rail about it (reliability 3.10). */
export const RECONCILE_AFTER_MS = 900_000;
/** How long a parked payment event waits for its payment before it is tried again. */
export const PARKED_MS = 30_000;

/** The one currency (domain 3-orders 6.1). */
export const CURRENCY = 'USD';
