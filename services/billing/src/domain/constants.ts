/** How long a hold stands without being renewed, in milliseconds (reliability 3.4). */
export const HOLD_MS = 5_000;
/** How often a living runner renews its hold (reliability 3.4, 3.20). */
export const RENEW_MS = 2_000;
/** The most holds that one key's authority carries at once (reliability 3.4). */
export const MAX_HOLDS = 64;
/** Time that a signing needs after it has waited for others' cents: with less left it is told to come back. */
export const SIGNING_RESERVE_MS = 3_000;
/** After this long an unfinished hold is an operator's task (reliability 3.5). */
export const STUCK_HOLD_MS = 600_000;

const DAY_MS = 86_400_000;
/** How long an order may stay unpaid before the clock cancels it (domain 3-orders 6.3). */
export const UNPAID_MS = 14 * DAY_MS;
/** When a delayed sandbox payment settles by itself (domain 3-orders 6.2). */
export const SETTLES_AFTER_MS = DAY_MS;
/** How far a rail's signature may be from database time (reliability 3.10). */
export const SIGNATURE_TOLERANCE_MS = 300_000;
/** How old an open session is when the reconciler asks the rail about it (reliability 3.10). */
export const RECONCILE_AFTER_MS = 900_000;
/** How long a parked payment event waits for the payment it belongs to before it is tried again. */
export const PARKED_MS = 30_000;

/** The one currency (domain 3-orders 6.1). */
export const CURRENCY = 'USD';
