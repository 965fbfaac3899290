import { proves } from '@cds/contracts/testing';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, type World } from '../test/world.js';

describe('plan_swap_creator', () => {
  const world = testWorld('plan_swap_creator');

  const selling = (over: Parameters<typeof aUnit>[0] = {}) => {
    const unit = aUnit(over);
    world.neighbours.units.set(unit.unit_id, unit);
    return unit;
  };
  const swap = (of: Awaited<ReturnType<World['planned']>>, unitId: string, lineId = of.plan.lines[0]?.id ?? '') =>
    world.call('plan_swap_creator', again(of.ctx), { id: of.plan._id, line_id: lineId, unit_id: unitId });

  it('puts the new creator on the removed line’s day under a new line id', async () => {
    proves('swap.both-or-neither', 'swap.current-price', 'swap.answer');
    const of = await world.planned({ units: [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })] });
    const unit = selling({ price_cents: 50_000 });
    const answer = await swap(of, unit.unit_id);
    if (!answer.ok) throw new Error(answer.error.message);
    const { line_id, removed_line_id, plan } = answer.value;
    expect(answer.status).toBe(200);
    expect(removed_line_id).toBe(of.plan.lines[0]?.id);
    expect(plan).toMatchObject({ version: 2, total_cents: 110_000 });
    const stored = await world.deps.plans.byId(of.plan.ws, of.plan._id);
    expect(stored?.lines.map((line) => line.id)).toEqual([line_id, of.plan.lines[1]?.id]);
    expect(stored?.lines[0]).toMatchObject({ unit_id: unit.unit_id, scheduled_date: '2026-12-01' });
  });

  it('reads prices again when they are older than five seconds at the commit', async () => {
    const of = await world.planned({ units: [aUnit({ price_cents: 40_000 })] });
    const unit = selling({ price_cents: 50_000 });
    const real = performance.now.bind(performance);
    let slept = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + slept);
    world.neighbours.whilePricing = async () => {
      slept = 5_001;
      selling({ ...unit, price_cents: 55_000 });
    };
    const answer = await swap(of, unit.unit_id);
    clock.mockRestore();
    expect(answer).toMatchObject({ ok: true, value: { plan: { version: 2, total_cents: 55_000 } } });
  });

  it('always takes a creator at or under the removed price, even on a plan at its budget', async () => {
    proves('swap.cheaper-always-fits');
    const of = await world.planned({
      ctx: brand({ mandate: aMandate({ max_plan_cents: 1 }) }),
      units: [aUnit({ price_cents: 40_000 })],
      campaign: { budget_cents: 40_000 },
    });
    expect((await swap(of, selling({ price_cents: 40_000 }).unit_id)).ok).toBe(true);
  });
});
