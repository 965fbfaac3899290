import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { priceChanged } from '../events/price-changed.js';
import { aUnit, NOW } from '../test/builders.js';
import { again, aWorld, brand, type World } from '../test/world.js';
import { repricePlans } from './reprice-plans.js';

const TIME = { network: NOW, of: () => NOW, horizon: NOW };

describe('a price event (domain 2-plans 5.3)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('reprice_plans');
  });
  afterAll(() => world.drop());

  const sweep = () => repricePlans(world.deps).run(TIME, null);
  const told = (unitIds: string[]) =>
    world.deliver(priceChanged(world.deps, sweep), { aggregate: randomUUID(), version: 1, unit_ids: unitIds });
  const waiting = () => world.deps.repricings.rows.countDocuments({});
  const priced = (unitId: string, price_cents: number) => {
    const unit = world.neighbours.units.get(unitId);
    if (unit === undefined) throw new Error('nobody knows the unit');
    world.neighbours.units.set(unitId, { ...unit, price_cents });
  };

  it('takes every workspace’s waiting plans with the unit to the current price, once', async () => {
    const [unit, other] = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 10_000 })];
    const one = await world.planned({ units: [unit, other], campaign: { budget_cents: 80_000 } });
    const two = await world.planned({ units: [unit], campaign: { budget_cents: null } });
    const without = await world.planned({ units: [other], campaign: { budget_cents: 80_000 } });
    priced(unit.unit_id, 45_000);
    await told([unit.unit_id]);
    expect(await sweep()).toBe(2);
    for (const { ctx, plan, total } of [
      { ...one, total: 55_000 },
      { ...two, total: 45_000 },
    ])
      expect(await world.value('plan_quote', again(ctx), { id: plan._id })).toMatchObject({
        version: 2,
        total_cents: total,
        over_budget: null,
      });
    expect(await world.value('plan_quote', again(without.ctx), { id: without.plan._id })).toMatchObject({ version: 1 });
    await told([unit.unit_id]);
    expect(await sweep()).toBe(0);
    expect(await waiting()).toBe(0);
    const events = await world.shell.outbox.rows.find({ aggregate: one.plan._id }).toArray();
    expect(events.map((event) => event.version)).toEqual([2]);
  });

  it('leaves prices past the budget, signed plans and archived campaigns as they are', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const over = await world.planned({ units: [unit], campaign: { budget_cents: 42_000 } });
    const signed = await world.planned({ units: [unit], plan: { status: 'approved' } });
    const archived = await world.planned({ units: [unit], campaign: { archived_at: NOW } });
    priced(unit.unit_id, 45_000);
    await told([unit.unit_id]);
    expect(await sweep()).toBe(0);
    expect(await world.value('plan_quote', again(over.ctx), { id: over.plan._id })).toMatchObject({
      version: 1,
      total_cents: 40_000,
      over_budget: { budget_cents: 42_000, total_cents: 45_000, over_by_cents: 3_000 },
    });
    for (const { plan } of [signed, archived])
      expect(await world.deps.plans.rows.findOne({ _id: plan._id })).toMatchObject({
        version: 1,
        lines: [{ price_cents: 40_000 }],
      });
    expect(await waiting()).toBe(0);
  });

  it('waits while catalog is away, and is decided anew when an edit is faster', async () => {
    const [unit, other] = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 10_000 })];
    const { ctx, plan } = await world.planned({ units: [unit, other], campaign: { budget_cents: 90_000 } });
    priced(unit.unit_id, 45_000);
    world.neighbours.catalogAway = true;
    await told([unit.unit_id]);
    expect(await sweep()).toBe(0);
    expect(await waiting()).toBe(1);
    world.neighbours.catalogAway = false;

    const [, second] = plan.lines;
    world.neighbours.whilePricing = async () => {
      await world.value('plan_remove_creator', brand({ workspace: plan.ws }), {
        id: plan._id,
        line_id: second?.id ?? '',
      });
      priced(unit.unit_id, 46_000);
    };
    expect(await sweep()).toBe(1);
    expect(await world.value('plan_quote', again(ctx), { id: plan._id })).toMatchObject({
      version: 3,
      total_cents: 46_000,
    });
  });
});
