/** Sources: docs/reliability.md#authority, docs/reliability.md#deadlines, docs/domain/orders.md#rails. */
export const HOLD_MS = 5_000;
export const RENEW_MS = 2_000;
export const MAX_HOLDS = 64;
/** How long after its admission an approval may reserve; longer than any request lives. */
export const ADMITTED_MS = 60_000;
export const ENDED_KEPT_MS = 10 * ADMITTED_MS;
export const SIGNING_RESERVE_MS = 3_000;
export const STUCK_HOLD_MS = 600_000;

const DAY_MS = 86_400_000;
export const UNPAID_MS = 14 * DAY_MS;
export const SETTLES_AFTER_MS = DAY_MS;
export const SIGNATURE_TOLERANCE_MS = 300_000;
export const RECONCILE_AFTER_MS = 900_000;
export const PARKED_MS = 30_000;
export const UNKNOWN_MS = DAY_MS;

export const CURRENCY = 'USD';

/** Per key and its children (docs/domain/orders.md#receipts); the first of a UTC day are kept longest. */
export const REFUSAL_RECEIPTS = { longADay: 10, longDays: 396, shortDays: 7 } as const;
