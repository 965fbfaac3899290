/** Bounds of a mandate (docs/domain/orders.md#mandate, assumptions). */
export const MAX_PLAN_CENTS = 100_000_000;
export const MAX_MONTHLY_CAP_CENTS = 1_000_000_000;
export const MAX_MANDATE_DAYS = 366;

/** The first mandate of a workspace's own agent key (docs/domain/orders.md#mandate, assumption). */
export const OWN_AGENT = { max_plan_cents: 10_000_000, monthly_cap_cents: 30_000_000 } as const;

/** Active keys of one workspace (docs/domain/access.md#developers-area). */
export const MAX_ACTIVE_KEYS = 50;

export const DAY_MS = 86_400_000;
