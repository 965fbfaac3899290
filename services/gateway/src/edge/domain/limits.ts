import {
  type DeclaredLimit,
  LIMIT_SCOPES,
  LIMITS,
  type LimitPool,
  type LimitScope,
  type Principal,
} from '@cds/contracts';

/** The requests of a minute as they were counted for the caller, this request included. */
export type MinuteWindow = {
  scope: 'key' | 'parent' | 'session' | 'address';
  limit: number;
  left: number;
  resetsAt: Date;
};

/** What a refusal said of its limit, in the words of GET /limits; null where it said nothing. */
export type SaidLimit = {
  scope: LimitScope | null;
  limit: number | null;
  resets_at: string | null;
  /** Of the limit on price requests for one creator. */
  creator_id?: string;
};

const DECLARED: Readonly<Record<string, DeclaredLimit>> = LIMITS;

/**
 * Reads a limit from its refusal, which names no scope where there is only one (docs/guides/limits.md#what-is-left).
 */
export const saidLimit = (details: Readonly<Record<string, unknown>>): SaidLimit => {
  const { reason, scope, limit, resets_at, creator_id } = details;
  const { scopes = [] } = DECLARED[String(reason)] ?? {};
  const named = scope === 'api' ? 'brand' : scope;
  const only = scope === undefined && scopes.length === 1 ? scopes[0] : undefined;
  return {
    scope: LIMIT_SCOPES.find((one) => one === named) ?? only ?? null,
    limit: typeof limit === 'number' ? limit : null,
    resets_at: typeof resets_at === 'string' ? resets_at : null,
    ...(typeof creator_id === 'string' ? { creator_id } : {}),
  };
};

export const requestPool = ({ scope, limit, left, resetsAt }: MinuteWindow): LimitPool => ({
  name: 'request_rate',
  scope,
  unit: 'requests',
  limit,
  left,
  refills: 'at_once',
  resets_at: resetsAt.toISOString(),
});

/** The child keys that a key made within a span, newest first (docs/domain/access.md#child-keys). */
export const childKeyPool = (made: readonly Date[], limit: number, spanMs: number, now: Date): LimitPool => {
  const live = made.filter((at) => at.getTime() + spanMs > now.getTime());
  const oldest = live.at(-1);
  return {
    name: 'child_key_limit',
    scope: 'key',
    unit: 'keys',
    limit,
    left: Math.max(0, limit - live.length),
    refills: 'one_by_one',
    resets_at: oldest === undefined ? null : new Date(oldest.getTime() + spanMs).toISOString(),
  };
};

export const dayPool = (
  name: 'daily_writes' | 'daily_feedback',
  scope: LimitScope,
  { left, resetsAt }: { left: number; resetsAt: Date | null },
): LimitPool => {
  const { limit, unit, refills } = LIMITS[name];
  return { name, scope, unit, limit, left, refills, resets_at: resetsAt?.toISOString() ?? null };
};

/** The streams of events that a caller has open, by when each ends at the latest, the earliest first. */
export const streamPool = (scope: 'key' | 'session', ends: readonly Date[]): LimitPool => {
  const { limit, unit, refills } = LIMITS.stream_limit;
  const left = Math.max(0, limit - ends.length);
  return { name: 'stream_limit', scope, unit, limit, left, refills, resets_at: ends[0]?.toISOString() ?? null };
};

const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** What a caller's mandate allows: nothing without one. */
type Limited = Pick<Principal, 'key' | 'mandate' | 'parent'>;

/**
 * What is left of a mandate's amounts in the month of `now`, which is business time
 * (docs/domain/orders.md#spend). A child key's approvals count on the cap of its parent too.
 */
export const mandatePools = (
  { key, mandate, parent }: Limited,
  spent: ReadonlyMap<string, number>,
  now: Date,
): LimitPool[] => {
  if (mandate === null) return [];
  const resets_at = nextMonth(now).toISOString();
  const cap = (scope: 'key' | 'parent', limit: number, cents: number): LimitPool => ({
    name: 'over_monthly_cap',
    scope,
    unit: 'cents',
    limit,
    left: Math.max(0, limit - cents),
    refills: 'at_once',
    resets_at,
  });
  const { max_plan_cents: most } = mandate;
  return [
    {
      name: 'over_max_plan_total',
      scope: 'key',
      unit: 'cents',
      limit: most,
      left: most,
      refills: 'never',
      resets_at: null,
    },
    cap('key', mandate.monthly_cap_cents, spent.get(key) ?? 0),
    ...(parent === undefined ? [] : [cap('parent', parent.monthly_cap_cents, spent.get(parent.key) ?? 0)]),
  ];
};
