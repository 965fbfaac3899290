/** Assumptions are marked (A) in docs/domain/plans.md#campaigns-and-plans; limits are of the specification. */

export const CAMPAIGN_STARTS = 3;
export const START_WINDOW_MS = 86_400_000;

/** Between two resets (docs/domain/sandbox.md#sandbox). */
export const SANDBOX_CAMPAIGNS = 40;

/** In days from today (docs/domain/plans.md#plan-current). */
export const CURRENT_WINDOW = { start: 3, end: 30 } as const;

export const MONEY_LEFT_SHARE = 0.05;

/** Days between today and the first day of a post (docs/domain/plans.md#dates). */
export const LEAD_DAYS = 2;

/** Lines a day at most, as a share of all lines, while other days exist (docs/domain/plans.md#dates). */
export const DAY_SHARE = 0.6;

/**
 * The builder's bounds (docs/domain/plans.md#candidates): lines per median price of the cap; most lines, of which a cap
 * gives a few and one more for every so many cents; the price of one line where a plan has few lines and where it
 * may have more; lines in one reach band.
 */
export const BUILDER = {
  linesPerMedian: 1.2,
  fewLines: 4,
  centsPerLine: 60_000,
  maxLines: 40,
  capShare: 0.4,
  medianShare: 1.6,
  capShareOfMany: 0.35,
  bandLeast: 3,
} as const;

/** The match's weight in a creator's value, and the match without segments (docs/domain/plans.md#plan-value). */
export const MATCH = { floor: 0.15, slope: 0.85, unresolved: 50 } as const;

export const TRUST = { network: 1, creator: 0.8 } as const;

/** The prior share of offers that creators accept, and how many offers it weighs as much as. */
export const ACCEPTANCE = { share: 0.7, offers: 5 } as const;

export const DECLINED_FOR_MS = 30 * 86_400_000;

/** By how much goal and region change a creator's value (docs/domain/plans.md#plan-value). */
export const TILT = { quote: 1.1, frequent: 1.1, frequentPosts: 3, inside: 1.15, outside: 0.7 } as const;

export const POST_TWICE = { value: 1.7, daysApart: 7 } as const;

export const REACH_SHARE = 0.5;

/** Options for the seeded runs, seeds of each kind, moves of each run (docs/domain/plans.md#plan-search). */
export const SEARCH = {
  bestByRate: 150,
  bestByValue: 80,
  seedsOfEach: 12,
  movesOfSeed: 60,
  movesOfPlain: 300,
  refilled: 4,
  refills: 6,
} as const;

/** Additions stop below this share of the plan's value per dollar (docs/domain/plans.md#plan-search). */
export const SPEND_SHARE = 0.25;

export const LEFT_OUT = { kept: 8, shown: 3 } as const;

/** First and last day from M, and the share of the lines (docs/domain/plans.md#dates). */
export const BUCKETS = {
  launch: [
    { from: 0, to: 0, share: 50 },
    { from: 1, to: 2, share: 25 },
    { from: 3, to: 6, share: 15 },
    { from: 7, to: Number.POSITIVE_INFINITY, share: 10 },
  ],
  funding: [
    { from: 0, to: 0, share: 60 },
    { from: 1, to: 2, share: 25 },
    { from: 3, to: 6, share: 15 },
  ],
  feature: [
    { from: 0, to: 0, share: 30 },
    { from: 1, to: 2, share: 30 },
    { from: 3, to: 6, share: 25 },
    { from: 7, to: Number.POSITIVE_INFINITY, share: 15 },
  ],
} as const;

/** When a signature or an edit commits by them (docs/reliability.md#signing, docs/reliability.md#deadlines). */
export const EVIDENCE_MS = 5_000;

export const REPRICE_EVERY_MS = 5_000;

/**
 * When the plans that hold a unit are looked for again after its price moved: once the usual write has ended, and once
 * every write has, which takes the 22 s of a write, its commit, and the 5 s by which catalog's memory may lag
 * (docs/reliability.md#catalog-memory, docs/reliability.md#deadlines).
 */
export const PRICE_LOOKS_MS = [6_000, 45_000] as const;

export const BUILD_EVERY_MS = 10_000;

/** When the nightly refresh, from 03:00 UTC on, is assumed to be over (docs/domain/plans.md#plan-builder). */
export const RETRY_HOUR = 6;

export const VERDICT_DAYS = 30;

export const PLAN_LINES = 40;

/** Besides the first, and for how many days after they were made (docs/domain/plans.md#history). */
export const VERSIONS_KEPT = 30;
export const VERSION_DAYS = 90;

/** A price older than this is not buyable; used for a sandbox's overrides only (docs/domain/network.md#prices). */
export const PRICE_FRESH_DAYS = 30;

export const DISPLAY_NAME_MAX = 60;

/** From which a replacement is preferred (docs/domain/orders.md#replacement-search). */
export const REPLACEMENT_VIEWS_SHARE = 0.6;

export const CANDIDATES_REUSED_MS = 5_000;
