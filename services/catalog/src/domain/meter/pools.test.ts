import type { LimitPool } from '@cds/contracts';
import { randomOf } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anId } from '../../test/builders.js';
import { METER } from '../constants.js';
import { decideRead, type Meter, type MeterDecision, type MeterWant } from './meter.js';
import { type HeldMeter, meterPools } from './pools.js';

const HISTORIES = 60;
const READS = 300;
const KEYS = ['k1', 'k2'] as const;
const KINDS = [['list', 'open', 'ask'], ['list'], ['open']] as const;

/** What the store reads of a meter for one key. */
const heldOf = (meter: Meter, key: string): HeldMeter => {
  const counted = (of: Meter['ws']) => ({ ...of, opened: of.opened.length });
  const own = meter.keys.find(({ id }) => id === key);
  return {
    at: meter.at,
    day: meter.day,
    seen: meter.seen.length,
    ws: counted(meter.ws),
    key: own === undefined ? null : counted(own),
    asks: meter.asks.filter(({ asker }) => asker === null),
  };
};

/** The limits that a read was refused by, as pools name them. */
const SCOPES = { key: 'key', api: 'brand', workspace: 'workspace' } as const;

const named = (pools: LimitPool[], name: string, scope: string, creator?: string): LimitPool | undefined =>
  pools.find((pool) => pool.name === name && pool.scope === scope && pool.creator_id === creator);

describe('what is left of the limits on creator reads (docs/domain/requests.md#limits)', () => {
  it('is whole before the first read, and the app has views alone', () => {
    const now = new Date('2026-11-22T10:20:30.000Z');
    const pools = meterPools(null, 'key', now);
    expect(pools.map(({ name, scope, limit, left }) => [name, scope, limit, left])).toEqual([
      ['per_minute', 'key', 20, 20],
      ['per_minute', 'brand', 20, 20],
      ['locked', 'key', 40, 40],
      ['locked', 'brand', 40, 40],
      ['daily_lists', 'key', 60, 60],
      ['daily_lists', 'brand', 60, 60],
      ['daily_reveals', 'key', 60, 60],
      ['daily_reveals', 'brand', 60, 60],
      ['daily_seen', 'workspace', 300, 300],
      ['daily_limit', 'workspace', 20, 20],
    ]);
    expect(named(pools, 'daily_limit', 'workspace')?.per_creator).toBe(3);
    expect(named(pools, 'per_minute', 'key')?.resets_at).toBe('2026-11-22T10:21:00.000Z');
    expect(named(pools, 'daily_seen', 'workspace')?.resets_at).toBe('2026-11-23T00:00:00.000Z');
    expect(named(pools, 'locked', 'key')?.resets_at).toBeNull();
    expect(meterPools(null, null, now).map(({ name }) => name)).toEqual(['daily_seen', 'daily_limit']);
    expect(new Set(meterPools(null, 'parent', now).map(({ scope }) => scope))).toEqual(
      new Set(['parent', 'brand', 'workspace']),
    );
  });

  it('agrees with every refusal and every booking of random histories', () => {
    const refusals = new Map<string, number>();
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = randomOf(seed);
      let now = new Date(random() < 0.3 ? '2026-11-22T23:40:00.000Z' : '2026-11-22T08:00:00.000Z');
      let meter: Meter | null = null;
      const hurry = random() < 0.3 ? 2_000 : 60_000;
      const kinds = KINDS[seed % KINDS.length] ?? KINDS[0];
      for (let read = 0; read < READS; read += 1) {
        now = new Date(now.getTime() + Math.floor(random() * hurry));
        const kind = kinds[Math.floor(random() * kinds.length)] ?? 'list';
        const key = KEYS[random() < 0.7 ? 0 : 1];
        const creators = Array.from({ length: kind === 'list' ? 12 : 1 }, () => anId(Math.floor(random() * 400)));
        const want: MeterWant = {
          attemptId: `a-${read}`,
          key,
          kind,
          creators: kind === 'ask' ? [anId(Math.floor(random() * 5))] : [...new Set(creators)],
          askId: kind === 'ask' ? `ask-${read}` : null,
          asker: null,
        };
        const before = meterPools(meter === null ? null : heldOf(meter, key), 'key', now);
        const { meter: next, refused }: MeterDecision = decideRead(meter, want, now);
        if (refused === null) {
          const after = meterPools(heldOf(next, key), 'key', now);
          for (const [place, pool] of before.filter(({ creator_id }) => creator_id === undefined).entries())
            expect(pool.left - (after[place]?.left ?? 0)).toBe(taken(pool, want, meter, now));
        } else {
          refusals.set(refused.reason, (refusals.get(refused.reason) ?? 0) + 1);
          const scope = SCOPES[refused.scope];
          expect(named(before, refused.reason, scope, refused.creator_id)).toMatchObject({
            limit: refused.limit,
            left: 0,
            resets_at: refused.resets_at.toISOString(),
          });
        }
        // A booked ask is sent at once, as the operation does before it answers.
        meter = { ...next, asks: next.asks.map((ask) => ({ ...ask, until: null })) };
      }
    }
    expect([...refusals.keys()].sort()).toEqual([
      'daily_limit',
      'daily_lists',
      'daily_reveals',
      'daily_seen',
      'locked',
      'per_minute',
    ]);
  });
});

/** How many units of a pool a booked read takes, by the rules of docs/domain/network.md#read-limits. */
const taken = (pool: LimitPool, want: MeterWant, meter: Meter | null, now: Date): number => {
  const at = meter !== null && meter.at > now ? meter.at : now;
  const today = meter?.day === at.toISOString().slice(0, 10);
  const counters = pool.scope === 'key' ? meter?.keys.find(({ id }) => id === want.key) : meter?.ws;
  const opens = want.kind !== 'list' && !(today && (counters?.opened ?? []).includes(want.creators[0] ?? ''));
  switch (pool.name) {
    case 'per_minute':
      return want.kind === 'ask' ? 0 : 1;
    case 'daily_lists':
      return want.kind === 'list' ? 1 : 0;
    case 'daily_reveals':
    case 'locked':
      return opens ? 1 : 0;
    case 'daily_limit':
      return want.askId === null ? 0 : 1;
    case 'daily_seen': {
      const fresh = want.creators.filter((id) => !(today && meter?.seen.includes(id)));
      return Math.min(fresh.length, METER.viewsPerDay - (today ? (meter?.seen.length ?? 0) : 0));
    }
    default:
      throw new Error(`no rule for ${pool.name}`);
  }
};
