import type { LimitPool } from '@cds/contracts';
import { ASKS, DAY_MS, METER } from '../constants.js';
import type { Counters, MeteredAsk } from './meter.js';

const MINUTE_MS = 60_000;

export type HeldCounters = Omit<Counters, 'opened'> & { opened: number };

export type HeldMeter = {
  /** The newest database time that the meter has seen, and its day. */
  at: Date;
  day: string;
  seen: number;
  ws: HeldCounters;
  key: HeldCounters | null;
  asks: Pick<MeteredAsk, 'creator' | 'at' | 'until'>[];
};

const NONE: HeldCounters = { min: { win: new Date(0), n: 0 }, lists: 0, opened: 0, opens: [], paused_until: null };

const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

const whole = (limit: number, used: number, resetsAt: string) => ({
  limit,
  left: Math.max(0, limit - used),
  refills: 'at_once' as const,
  resets_at: resetsAt,
});

const sliding = (limit: number, uses: readonly Date[], windowMs: number) => ({
  limit,
  left: Math.max(0, limit - uses.length),
  refills: 'one_by_one' as const,
  resets_at: uses[0] === undefined ? null : after(uses[0], windowMs),
});

const readPools = (held: HeldCounters, scope: 'key' | 'brand', at: Date, midnight: string, newDay: boolean) => {
  const minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const win = new Date(Math.max(minute, held.min.win.getTime()));
  const inWindow = held.min.win.getTime() < minute ? 0 : held.min.n;
  const opens = held.opens.filter((open) => open.getTime() > at.getTime() - METER.pauseMs);
  const { paused_until: paused } = held;
  const locked =
    paused !== null && paused > at
      ? { ...whole(METER.opensInTenMinutes, METER.opensInTenMinutes, paused.toISOString()) }
      : sliding(METER.opensInTenMinutes, opens, METER.pauseMs);
  return [
    {
      name: 'per_minute',
      scope,
      unit: 'reads',
      ...whole(METER.readsPerMinute, inWindow, after(win, MINUTE_MS)),
    },
    { name: 'locked', scope, unit: 'creators', ...locked },
    {
      name: 'daily_lists',
      scope,
      unit: 'searches',
      ...whole(METER.listsPerDay, newDay ? 0 : held.lists, midnight),
    },
    {
      name: 'daily_reveals',
      scope,
      unit: 'creators',
      ...whole(METER.opensPerDay, newDay ? 0 : held.opened, midnight),
    },
  ] as const satisfies LimitPool[];
};

/** For a creator without an entry of its own, nothing was used. */
const askPools = (asks: HeldMeter['asks'], at: Date): LimitPool[] => {
  const live = asks.filter((ask) => ask.at.getTime() > at.getTime() - DAY_MS && (ask.until === null || ask.until > at));
  const pool = { name: 'daily_limit', scope: 'workspace', unit: 'price_requests' } as const;
  const times = (of: HeldMeter['asks']) => of.map((ask) => ask.at);
  return [
    { ...pool, ...sliding(ASKS.perDay, times(live), DAY_MS), per_creator: ASKS.perCreator },
    ...[...new Set(live.map((ask) => ask.creator))].map((creator) => ({
      ...pool,
      ...sliding(ASKS.perCreator, times(live.filter((ask) => ask.creator === creator)), DAY_MS),
      creator_id: creator,
    })),
  ];
};

/**
 * What is left of every limit, as the next booking would find it. `keyed` is whose reads count: the caller's key's, its
 * parent's or a person's, which do not count among the brand's.
 */
export const meterPools = (
  held: HeldMeter | null,
  keyed: 'key' | 'parent' | 'session' | null,
  now: Date,
): LimitPool[] => {
  const at = held !== null && held.at > now ? held.at : now;
  const day = at.toISOString().slice(0, 10);
  const newDay = held?.day !== day;
  const midnight = after(new Date(`${day}T00:00:00.000Z`), DAY_MS);
  const ofKey = readPools(held?.key ?? NONE, 'key', at, midnight, newDay).map((pool) => ({
    ...pool,
    scope: keyed ?? pool.scope,
  }));
  const ofBrand = readPools(held?.ws ?? NONE, 'brand', at, midnight, newDay);
  return [
    ...(keyed === null
      ? []
      : ofKey.flatMap((pool, index) => (keyed === 'session' ? [pool] : [pool, ...ofBrand.slice(index, index + 1)]))),
    {
      name: 'daily_seen',
      scope: 'workspace',
      unit: 'creators',
      ...whole(METER.viewsPerDay, newDay ? 0 : (held?.seen ?? 0), midnight),
    },
    ...askPools(held?.asks ?? [], at),
  ];
};
