import type { Scope } from './scope.js';

/** Whom a limit counts. `parent` is the key that made a child key, `address` a client address. */
export const LIMIT_SCOPES = ['key', 'parent', 'session', 'brand', 'workspace', 'address'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export const LIMIT_UNITS = [
  'requests',
  'reads',
  'searches',
  'creators',
  'price_requests',
  'campaigns',
  'keys',
  'streams',
  'writes',
  'messages',
  'cents',
] as const;
export type LimitUnit = (typeof LIMIT_UNITS)[number];

/** As a whole at the end of a window, unit by unit as each use leaves it, or never. */
export const REFILLS = ['at_once', 'one_by_one', 'never'] as const;
export type Refill = (typeof REFILLS)[number];

/** A limit as it is declared. `limit` is null where a person of the brand sets it, in a key's mandate. */
export type DeclaredLimit = {
  limit: number | null;
  /** How many of them one creator may have. Its refusal has the same reason, and this number as `limit`. */
  per_creator?: number;
  /** The window in seconds; null for a calendar month, a limit of each call, and what is in use at once. */
  window_seconds: number | null;
  scopes: readonly LimitScope[];
  unit: LimitUnit;
  refills: Refill;
};

const MINUTE = 60;
const DAY = 86_400;

/** Reads of creators count on a person, or on a key, for a child key on the key that made it, and on its brand. */
const OF_READS = ['key', 'parent', 'session', 'brand'] as const;

/** Every limit that calls draw on, by the `details.reason` of its refusal (docs/specification.md#limits). */
export const LIMITS = {
  request_rate: { limit: 60, window_seconds: MINUTE, scopes: ['key', 'parent'], unit: 'requests', refills: 'at_once' },
  daily_writes: { limit: 400, window_seconds: DAY, scopes: ['key', 'parent'], unit: 'writes', refills: 'at_once' },
  per_minute: { limit: 20, window_seconds: MINUTE, scopes: OF_READS, unit: 'reads', refills: 'at_once' },
  locked: {
    limit: 40,
    window_seconds: 10 * MINUTE,
    scopes: OF_READS,
    unit: 'creators',
    refills: 'one_by_one',
  },
  daily_lists: { limit: 60, window_seconds: DAY, scopes: OF_READS, unit: 'searches', refills: 'at_once' },
  daily_reveals: { limit: 60, window_seconds: DAY, scopes: OF_READS, unit: 'creators', refills: 'at_once' },
  daily_seen: { limit: 300, window_seconds: DAY, scopes: ['workspace'], unit: 'creators', refills: 'at_once' },
  daily_limit: {
    limit: 20,
    per_creator: 3,
    window_seconds: DAY,
    scopes: ['workspace'],
    unit: 'price_requests',
    refills: 'one_by_one',
  },
  daily_campaign_limit: {
    limit: 3,
    window_seconds: DAY,
    scopes: ['brand'],
    unit: 'campaigns',
    refills: 'one_by_one',
  },
  child_key_limit: { limit: 200, window_seconds: DAY, scopes: ['key'], unit: 'keys', refills: 'one_by_one' },
  daily_feedback: { limit: 20, window_seconds: DAY, scopes: ['brand'], unit: 'messages', refills: 'at_once' },
  stream_limit: { limit: 4, window_seconds: null, scopes: ['key', 'session'], unit: 'streams', refills: 'one_by_one' },
  over_max_plan_total: { limit: null, window_seconds: null, scopes: ['key'], unit: 'cents', refills: 'never' },
  over_monthly_cap: {
    limit: null,
    window_seconds: null,
    scopes: ['key', 'parent'],
    unit: 'cents',
    refills: 'at_once',
  },
} as const satisfies Record<string, DeclaredLimit>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as [LimitName, ...LimitName[]];

/** Requests a minute of one client address where no key is needed (docs/domain/requests.md#rate-limits). */
const ADDRESS_LIMIT = 120;

/** The limits that may refuse what a meter counts, in the order of their checks; a pause ends searches too. */
const OF_METER = {
  creator_read: ['per_minute'],
  search: ['locked', 'daily_lists'],
  open: ['locked', 'daily_reveals'],
  view: ['daily_seen'],
  price_ask: ['daily_limit'],
  campaign_start: ['daily_campaign_limit'],
  child_key: ['child_key_limit'],
  stream: ['stream_limit'],
  feedback: ['daily_feedback'],
} as const satisfies Record<string, readonly LimitName[]>;

export type Meter = keyof typeof OF_METER;

type Limited = {
  scope: Scope | 'any' | null;
  idempotency?: 'required' | 'optional';
  meters?: readonly Meter[];
  raisesTotal?: true;
};

const ofMandate = ({ scope, raisesTotal }: Limited): readonly LimitName[] => {
  if (scope === 'plans:approve') return ['over_max_plan_total', 'over_monthly_cap'];
  return raisesTotal === true ? ['over_max_plan_total'] : [];
};

/** The limits that a call of an operation draws on, the minute window first. */
export const limitsOf = (operation: Limited): readonly (DeclaredLimit & { name: LimitName })[] => {
  if (operation.scope === null)
    return [{ name: 'request_rate', ...LIMITS.request_rate, limit: ADDRESS_LIMIT, scopes: ['address'] }];
  const stored: readonly LimitName[] = operation.idempotency === undefined ? [] : ['daily_writes'];
  const metered = (operation.meters ?? []).flatMap((meter): readonly LimitName[] => OF_METER[meter]);
  return (['request_rate', ...stored, ...metered, ...ofMandate(operation)] as const).map((name) => ({
    name,
    ...LIMITS[name],
  }));
};
