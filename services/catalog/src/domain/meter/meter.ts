/** The creator-read meter as pure functions (docs/domain/network.md#read-limits, docs/reliability.md#read-meter). */
import { ASKS, DAY_MS, METER } from '../constants.js';

export type Counters = {
  min: { win: Date; n: number };
  lists: number;
  opened: string[];
  opens: Date[];
  paused_until: Date | null;
};

/** A price ask, being sent until `until`. It records what it booked, so that this can be given back. */
export type MeteredAsk = {
  id: string;
  creator: string;
  /** The sandbox that asked; null for the workspace that owns this meter. */
  asker: string | null;
  at: Date;
  until: Date | null;
  key: string;
  opened: ('key' | 'ws' | 'view')[];
};

export type MeterReason = 'per_minute' | 'locked' | 'daily_lists' | 'daily_reveals' | 'daily_seen' | 'daily_limit';

export type MeterRefusal = {
  reason: MeterReason;
  scope: 'key' | 'api' | 'workspace';
  limit: number;
  resets_at: Date;
  creator_id?: string;
};

/** `n` counts changes. `at` is the newest database time seen, so that days and minutes never go back. */
export type Meter = {
  n: number;
  at: Date;
  day: string;
  seen: readonly string[];
  ws: Counters;
  keys: readonly (Counters & { id: string })[];
  asks: readonly MeteredAsk[];
  recent: readonly { attempt_id: string; outcome: MeterRefusal | null }[];
};

/** A meter after a read, with the creators that the read may show, in list order, or the limit that refused it. */
export type MeterDecision = { meter: Meter; granted: readonly string[]; refused: MeterRefusal | null };

/** What a read asks to book. `key` is whose limits it counts on, if any; `creators` are in list order. */
export type MeterWant = {
  attemptId: string;
  key: string | null;
  /** The reads of people do not count among those of the brand's keys. */
  ofPerson?: boolean;
  kind: 'list' | 'open' | 'ask';
  creators: readonly string[];
  askId: string | null;
  /** The sandbox whose limit the ask counts against; null for the workspace that owns this meter. */
  asker: string | null;
};

const MINUTE_MS = 60_000;
const EPOCH = new Date(0);

const NONE: Counters = { min: { win: EPOCH, n: 0 }, lists: 0, opened: [], opens: [], paused_until: null };

const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const nextMidnight = (day: string): Date => after(new Date(`${day}T00:00:00.000Z`), DAY_MS);

/** Whether a key's counters still matter on a new day. */
const outlivesMidnight = (key: Counters, at: Date): boolean => {
  const from = after(at, -METER.pauseMs);
  return key.min.win > from || key.opens.some((open) => open > from) || (key.paused_until ?? EPOCH) > at;
};

const slidingWindow = (counters: Counters, at: Date, newDay: boolean): Counters => ({
  min: counters.min.win < minuteOf(at) ? { win: minuteOf(at), n: 0 } : counters.min,
  lists: newDay ? 0 : counters.lists,
  opened: newDay ? [] : counters.opened,
  opens: counters.opens.filter((open) => open > after(at, -METER.pauseMs)),
  paused_until: counters.paused_until,
});

const refusalOf = (
  counters: Counters,
  want: MeterWant,
  { at, day }: { at: Date; day: string },
  scope: 'key' | 'api',
): MeterRefusal | null => {
  if (want.kind !== 'ask' && counters.min.n >= METER.readsPerMinute)
    return { reason: 'per_minute', scope, limit: METER.readsPerMinute, resets_at: after(counters.min.win, MINUTE_MS) };
  if (counters.paused_until !== null && counters.paused_until > at)
    return { reason: 'locked', scope, limit: METER.opensInTenMinutes, resets_at: counters.paused_until };
  if (want.kind === 'list')
    return counters.lists < METER.listsPerDay
      ? null
      : { reason: 'daily_lists', scope, limit: METER.listsPerDay, resets_at: nextMidnight(day) };
  return counters.opened.length < METER.opensPerDay || want.creators.every((id) => counters.opened.includes(id))
    ? null
    : { reason: 'daily_reveals', scope, limit: METER.opensPerDay, resets_at: nextMidnight(day) };
};

const booked = (counters: Counters, want: MeterWant, at: Date): Counters => {
  if (want.kind === 'list')
    return { ...counters, min: { ...counters.min, n: counters.min.n + 1 }, lists: counters.lists + 1 };
  const min = want.kind === 'open' ? { ...counters.min, n: counters.min.n + 1 } : counters.min;
  const fresh = want.creators.filter((id) => !counters.opened.includes(id));
  if (fresh.length === 0) return { ...counters, min };
  const opens = [...counters.opens, at].slice(-METER.opensInTenMinutes);
  return {
    ...counters,
    min,
    opened: [...counters.opened, ...fresh],
    opens,
    paused_until: opens.length >= METER.opensInTenMinutes ? after(at, METER.pauseMs) : counters.paused_until,
  };
};

const askRefusal = (asks: readonly MeteredAsk[], want: MeterWant): MeterRefusal | null => {
  if (want.askId === null) return null;
  const own = asks.filter((ask) => ask.asker === want.asker);
  const ofCreator = own.filter((ask) => want.creators.includes(ask.creator));
  const limited = (of: readonly MeteredAsk[], limit: number): MeterRefusal | null => {
    const oldest = of[0];
    return oldest === undefined || of.length < limit
      ? null
      : { reason: 'daily_limit', scope: 'workspace', limit, resets_at: after(oldest.at, DAY_MS) };
  };
  const forCreator = limited(ofCreator, ASKS.perCreator);
  const [creator_id] = want.creators;
  if (forCreator !== null && creator_id !== undefined) return { ...forCreator, creator_id };
  return limited(own, ASKS.perDay);
};

/** Decides a read at `now` and books it. A repeated attempt is answered as before and books nothing. */
export const decideRead = (held: Meter | null, want: MeterWant, now: Date): MeterDecision => {
  const at = held !== null && held.at > now ? held.at : now;
  const day = at.toISOString().slice(0, 10);
  const newDay = held?.day !== day;
  const own = held?.keys.find((key) => key.id === want.key);
  const others = (held?.keys ?? []).filter((key) => key.id !== want.key);

  const ws = slidingWindow(held?.ws ?? NONE, at, newDay);
  const key = slidingWindow(own ?? NONE, at, newDay);
  const seen = newDay ? [] : (held?.seen ?? []);
  const seenToday = new Set(seen);
  const asks = (held?.asks ?? []).filter(
    (ask) => ask.at > after(at, -DAY_MS) && (ask.until === null || ask.until > at),
  );
  const keptKeys = newDay ? others.filter((other) => outlivesMidnight(other, at)) : others;
  const carriedKeys = newDay ? keptKeys.map((other) => ({ ...other, lists: 0, opened: [] })) : keptKeys;

  const before = held?.recent.find((one) => one.attempt_id === want.attemptId);
  const counted = want.key !== null && before === undefined;
  const fresh = want.creators.filter((id) => !seenToday.has(id));
  const added = fresh.slice(0, Math.max(0, METER.viewsPerDay - seen.length));
  const granted =
    added.length === fresh.length
      ? want.creators
      : want.creators.filter((id) => seenToday.has(id) || added.includes(id));

  const refused =
    before?.outcome ??
    (counted ? refusalOf(key, want, { at, day }, 'key') : null) ??
    (counted && want.ofPerson !== true ? refusalOf(ws, want, { at, day }, 'api') : null) ??
    (want.creators.length > 0 && granted.length === 0
      ? {
          reason: 'daily_seen' as const,
          scope: 'workspace' as const,
          limit: METER.viewsPerDay,
          resets_at: nextMidnight(day),
        }
      : null) ??
    (before === undefined ? askRefusal(asks, want) : null);

  const passes = refused === null;
  const books = passes && counted;
  const nextKey = books ? booked(key, want, at) : key;
  const nextWs = books && want.ofPerson !== true ? booked(ws, want, at) : ws;
  const opens = (one: Counters, next: Counters): boolean => next.opened.length > one.opened.length;
  const meter: Meter = {
    n: (held?.n ?? 0) + 1,
    at,
    day,
    seen: passes && added.length > 0 ? [...seen, ...added] : seen,
    ws: nextWs,
    keys: want.key === null ? carriedKeys : [...carriedKeys, { id: want.key, ...nextKey }],
    asks:
      passes && want.askId !== null && before === undefined
        ? [
            ...asks,
            {
              id: want.askId,
              creator: want.creators[0] ?? '',
              asker: want.asker,
              at,
              until: after(at, ASKS.holdMs),
              key: want.key ?? '',
              opened: [
                ...(opens(key, nextKey) ? ['key' as const] : []),
                ...(opens(ws, nextWs) ? ['ws' as const] : []),
                ...(added.length > 0 ? ['view' as const] : []),
              ],
            },
          ]
        : asks,
    recent:
      before === undefined
        ? [...(held?.recent ?? []), { attempt_id: want.attemptId, outcome: refused }].slice(-METER.attemptsKept)
        : (held?.recent ?? []),
  };
  return { meter, granted: passes ? granted : [], refused };
};

/** Gives back an ask that was not delivered, with the opens and the view it booked and the pause that it began. */
export const withoutAsk = (held: Meter, askId: string): Meter => {
  const ask = held.asks.find(({ id }) => id === askId);
  if (ask === undefined) return held;
  const gaveBack = <T extends Counters>(of: T): T => {
    // Several creators may have been opened at its instant.
    const own = of.opens.findIndex((open) => open.getTime() === ask.at.getTime());
    const opens = of.opens.filter((_open, index) => index !== own);
    const began = of.paused_until?.getTime() === after(ask.at, METER.pauseMs).getTime();
    return {
      ...of,
      opened: of.opened.filter((id) => id !== ask.creator),
      opens,
      paused_until: began && opens.length < METER.opensInTenMinutes ? null : of.paused_until,
    };
  };
  return {
    ...held,
    n: held.n + 1,
    asks: held.asks.filter((one) => one !== ask),
    seen: ask.opened.includes('view') ? held.seen.filter((id) => id !== ask.creator) : held.seen,
    ws: ask.opened.includes('ws') ? gaveBack(held.ws) : held.ws,
    keys: held.keys.map((key) => (key.id === ask.key && ask.opened.includes('key') ? gaveBack(key) : key)),
  };
};
