import { randomUUID } from 'node:crypto';
import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { repricePlans } from '../sweeps/reprice-plans.js';
import { aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, type World } from '../test/world.js';

describe('sandbox_unit_set and sandbox_unit_clear (docs/domain/sandbox.md#sandbox)', () => {
  const world = testWorld('sandbox_units');

  const planned = (unit: ReturnType<typeof aUnit>, of: Parameters<World['planned']>[0] = {}) =>
    world.planned({ ctx: brand({ sandbox: true }), units: [unit], campaign: { budget_cents: 50_000 }, ...of });

  it('reprices the sandbox’s awaiting plans in the same commit while they fit the budget', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const { ctx, plan } = await planned(unit);
    const live = await world.planned({ units: [unit] });
    expect(await world.value('sandbox_unit_set', ctx, { unit_id: unit.unit_id, price_cents: 45_000 })).toEqual({
      unit_id: unit.unit_id,
      price_cents: 45_000,
      age_days: null,
      off_sale: false,
    });
    expect(await world.value('plan_quote', again(ctx), { id: plan._id })).toMatchObject({
      version: 2,
      total_cents: 45_000,
      over_budget: null,
    });
    expect(await world.value('plan_quote', live.ctx, { id: live.plan._id })).toMatchObject({
      version: 1,
      total_cents: 40_000,
    });
    const events = await world.shell.outbox.rows.find({ aggregate: plan._id }).toArray();
    expect(events.map((event) => event.version)).toEqual([2]);
  });

  it('reaches a plan that was being edited, once the edit is stored', async () => {
    const [onPlan, unit] = [aUnit({ price_cents: 10_000 }), aUnit({ price_cents: 20_000 })];
    const { ctx, plan } = await planned(onPlan);
    world.neighbours.units.set(unit.unit_id, unit);
    world.neighbours.whilePricing = async () => {
      await world.value('sandbox_unit_set', again(ctx), { unit_id: unit.unit_id, price_cents: 25_000 });
    };
    await world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: unit.unit_id });
    const total = async () => (await world.value('plan_quote', again(ctx), { id: plan._id })).total_cents;
    // An edit that lost a race was decided again, at the new price.
    expect([30_000, 35_000]).toContain(await total());
    const later = new Date(NOW.getTime() + 6_000);
    await repricePlans(world.deps).run({ ...sweepTime(later, new Map()), of: () => NOW }, null);
    expect(await total()).toBe(35_000);
  });

  it('blocks a line by sale or price age, keeps what a later call leaves out, and ends when cleared', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const { ctx, plan } = await planned(unit);
    const blocked = async () => (await world.value('plan_quote', again(ctx), { id: plan._id })).blocked_lines.length;
    await world.value('sandbox_unit_set', again(ctx), { unit_id: unit.unit_id, age_days: 31 });
    expect(await blocked()).toBe(1);
    await world.value('sandbox_unit_set', again(ctx), {
      unit_id: unit.unit_id,
      age_days: 1,
      off_sale: true,
      price_cents: 45_000,
    });
    expect(await blocked()).toBe(1);
    expect(await world.value('sandbox_unit_set', again(ctx), { unit_id: unit.unit_id, off_sale: false })).toMatchObject(
      { price_cents: 45_000, age_days: 1 },
    );
    expect(await blocked()).toBe(0);
    expect(await world.value('sandbox_unit_clear', again(ctx), { unit_id: unit.unit_id })).toEqual({
      unit_id: unit.unit_id,
      price_cents: null,
      age_days: null,
      off_sale: false,
    });
    expect(await world.value('plan_quote', again(ctx), { id: plan._id })).toMatchObject({
      total_cents: 40_000,
      version: 3,
    });
    expect(await world.deps.overrides.rows.countDocuments({ ws: plan.ws })).toBe(0);
  });

  it('leaves signed plans alone and reprices archived ones', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const ctx = brand({ sandbox: true });
    const signed = await world.planned({ ctx, units: [unit], plan: { status: 'approved', approved_at: NOW } });
    const archived = await world.planned({ ctx, units: [unit], campaign: { archived_at: NOW } });
    await world.value('sandbox_unit_set', again(ctx), { unit_id: unit.unit_id, price_cents: 45_000 });
    expect(await world.deps.plans.byId(signed.plan.ws, signed.plan._id)).toMatchObject({
      version: 1,
      terms_fingerprint: signed.plan.terms_fingerprint,
    });
    expect(await world.deps.plans.byId(archived.plan.ws, archived.plan._id)).toMatchObject({
      version: 2,
      lines: [{ price_cents: 45_000 }],
    });
  });

  it('is forbidden in a live workspace, and 404 for an unknown unit', async () => {
    const unit = aUnit();
    await planned(unit);
    for (const operation of ['sandbox_unit_set', 'sandbox_unit_clear'] as const) {
      expect(await world.error(operation, brand(), { unit_id: unit.unit_id })).toMatchObject({ code: 'forbidden' });
      expect(await world.error(operation, brand({ sandbox: true }), { unit_id: randomUUID() })).toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/^No unit with that id/),
      });
    }
  });
});
