import { describe, expect, it } from '@jest/globals';
import { aCreator, aUnit } from '../../test/builders.js';
import type { CurrentPrice, Unit } from '../creator/creator.js';
import { takeUnits, unitAsked } from './import-units.js';
import type { ImportedUnit } from './imported-creator.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const SOURCE = { asOf: AT, recordedAt: AT, viewsSource: 'network', setBy: 'test' } as const;

const take = (units: ImportedUnit[], held: Unit[] = []) => {
  let made = 0;
  return takeUnits({ ...aCreator({ units }), generated: null }, held, 'ada', SOURCE, () => {
    made += 1;
    return `id-${made}`;
  });
};
const held = (...units: ImportedUnit[]): Unit[] => take(units).units;

describe('the units of an import', () => {
  it('are in the order post, quote, thread, with a price row each', () => {
    const { units, prices, tasks } = take([aUnit({ format: 'thread', usd: 300 }), aUnit({ usd: 100 })]);
    expect(units.map(({ format, label, price }) => [format, label, price?.price_cents])).toEqual([
      ['post', 'Post', 10_000],
      ['thread', 'Thread', 30_000],
    ]);
    expect(prices).toMatchObject([
      { unit_id: units[0]?.unit_id, creator_id: 'ada', net_ask_cents: 7_500, set_by: 'test' },
      { unit_id: units[1]?.unit_id, net_ask_cents: 22_500 },
    ]);
    expect(tasks).toEqual([]);
  });

  it('keep their ids across prices, and unnamed units stay', () => {
    const before = held(aUnit({ usd: 100 }), aUnit({ format: 'quote', usd: 50 }));
    const after = take([aUnit({ usd: 120, asOf: '2026-11-21' })], before);
    expect(after.units.map(({ unit_id }) => unit_id)).toEqual(before.map(({ unit_id }) => unit_id));
    expect(after.units.map(({ price }) => price?.price_cents)).toEqual([12_000, 5_000]);
    expect(after.prices).toHaveLength(1);
  });

  it('add no row for a known price', () => {
    const before = held(aUnit());
    expect(take([aUnit()], before)).toEqual({ units: before, prices: [], tasks: [] });
  });

  it('ignore an ask older than the current price, and take the later one of a day', () => {
    const before = held(aUnit({ usd: 100, asOf: '2026-11-20' }));
    expect(take([aUnit({ usd: 80, asOf: '2026-11-19' })], before)).toEqual({ units: before, prices: [], tasks: [] });
    expect(take([aUnit({ usd: 80, asOf: '2026-11-20' })], before)).toMatchObject({
      units: [{ price: { price_cents: 8_000 } }],
      prices: [{ net_ask_cents: 6_000 }],
    });
  });

  it('use the newest of several asks for one format', () => {
    const asks = [100, 140, 120].map((usd, at) => aUnit({ usd, asOf: `2026-11-${['01', '19', '10'][at]}` }));
    expect(take(asks)).toMatchObject({
      units: [{ price: { price_cents: 14_000 } }],
      prices: [{ as_of: '2026-11-19' }],
    });
  });
});

describe('an ask beside a price set by the team', () => {
  const team = held(aUnit({ usd: 150, byTeam: true }));

  it('is noted and opens a task once', () => {
    const ask = aUnit({ usd: 120, asOf: '2026-11-21' });
    const first = take([ask], team);
    expect(first.units).toMatchObject([{ price: { price_cents: 15_000, method: 'set_price' }, asked_cents: 9_000 }]);
    expect(first).toMatchObject({ prices: [{ net_ask_cents: 9_000 }], tasks: [{ kind: 'ask_under_team_price' }] });
    expect(take([ask], first.units)).toMatchObject({ prices: [], tasks: [] });
    expect(take([aUnit({ usd: 120, asOf: '2026-11-25' })], first.units)).toMatchObject({ prices: [], tasks: [] });
  });

  it('opens another task for another ask, even above the team’s price', () => {
    const first = take([aUnit({ usd: 120, asOf: '2026-11-21' })], team);
    const other = take([aUnit({ usd: 180, asOf: '2026-11-21' })], first.units);
    expect(other).toMatchObject({ units: [{ price: { price_cents: 15_000 }, asked_cents: 13_500 }] });
    expect(other.tasks).toHaveLength(1);
  });

  it('is remembered when the team answers with a new price', () => {
    const asked = take([aUnit({ usd: 180, asOf: '2026-11-21' })], team).units;
    const answered = take([aUnit({ usd: 170, byTeam: true, asOf: '2026-11-22' })], asked).units;
    const again = take([aUnit({ usd: 180, asOf: '2026-11-23' })], answered);
    expect(again).toMatchObject({ units: [{ price: { price_cents: 17_000 }, asked_cents: 13_500 }], tasks: [] });
  });

  it('is dropped when the team’s price is replaced', () => {
    const [unit] = take([aUnit({ usd: 120, asOf: '2026-11-21' })], team).units;
    if (unit === undefined) throw new Error('no unit');
    const agreed: CurrentPrice = {
      price_cents: 13_000,
      source: 'team',
      method: 'agreed_rate',
      as_of: '2026-11-21',
      recorded_at: AT,
    };
    const after = unitAsked(unit, 9_750, agreed, 'ada');
    expect(after.task).toBeNull();
    expect(after.unit).not.toHaveProperty('asked_cents');
    expect(after.unit.price?.price_cents).toBe(13_000);
  });
});
