/** How far ahead a mandate may end (docs/domain/orders.md#mandate). */
export const MAX_MANDATE_DAYS = 366;

/** The first mandate of a workspace's own agent key (docs/domain/orders.md#mandate, our default). */
export const OWN_AGENT = { max_plan_cents: 10_000_000, monthly_cap_cents: 30_000_000 } as const;

/** Active keys of one workspace (docs/domain/access.md#developers-area). */
export const MAX_ACTIVE_KEYS = 50;

/** How far ahead the child of a key without an expiry may end (docs/domain/access.md#child-keys). */
export const MAX_CHILD_KEY_DAYS = 366;

/** Sandbox workspaces of one brand (docs/domain/access.md#developers-area, our default). */
export const MAX_SANDBOXES = 10;

export const DAY_MS = 86_400_000;
