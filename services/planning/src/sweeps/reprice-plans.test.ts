import { randomUUID } from 'node:crypto';
import { sweepTime } from '@cds/service';
import { afterEach, describe, expect, it } from '@jest/globals';
import { priceChanged } from '../events/price-changed.js';
import { A_LAUNCH, aCandidate, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';
import { followPricesOf, repricePlans } from './reprice-plans.js';

const at = (network: Date) => ({ ...sweepTime(network, new Map()), of: () => NOW });

describe('a price event (docs/domain/plans.md#repricing)', () => {
  const world = testWorld('reprice_plans');
  afterEach(() => world.deps.priceMoves.rows.deleteMany({}));

  const sweep = (now = NOW) => repricePlans(world.deps).run(at(now), null);
  const announce = (unitIds: string[], creatorId: string = randomUUID()) =>
    world.deliver(priceChanged(world.deps, sweep), { aggregate: creatorId, version: 1, unit_ids: unitIds });
  /** The network's time, counted from the time of every event here. */
  const after = (ms: number) => new Date(ms);
  const waiting = () => world.deps.repricings.rows.countDocuments({});
  const priced = (unitId: string, price_cents: number) => {
    const unit = world.neighbours.units.get(unitId);
    if (unit === undefined) throw new Error('nobody knows the unit');
    world.neighbours.units.set(unitId, { ...unit, price_cents });
  };

  it('takes the awaiting plans of all workspaces with the unit to the current price, once', async () => {
    const [unit, other] = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 10_000 })];
    const one = await world.planned({ units: [unit, other], campaign: { budget_cents: 80_000 } });
    const two = await world.planned({ units: [unit], campaign: { budget_cents: null } });
    const without = await world.planned({ units: [other], campaign: { budget_cents: 80_000 } });
    priced(unit.unit_id, 45_000);
    await announce([unit.unit_id]);
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
    await announce([unit.unit_id]);
    expect(await sweep()).toBe(0);
    expect(await waiting()).toBe(0);
    const events = await world.shell.outbox.rows.find({ aggregate: one.plan._id }).toArray();
    expect(events.map((event) => event.version)).toEqual([2]);
  });

  it('leaves signed plans and prices past the budget alone, and reprices archived plans', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const over = await world.planned({ units: [unit], campaign: { budget_cents: 42_000 } });
    const signed = await world.planned({ units: [unit], plan: { status: 'approved' } });
    const archived = await world.planned({ units: [unit], campaign: { archived_at: NOW } });
    priced(unit.unit_id, 45_000);
    await announce([unit.unit_id]);
    expect(await sweep()).toBe(1);
    expect(await world.value('plan_quote', again(over.ctx), { id: over.plan._id })).toMatchObject({
      version: 1,
      total_cents: 40_000,
      over_budget: { budget_cents: 42_000, total_cents: 45_000, over_by_cents: 3_000 },
    });
    for (const { plan, version, price_cents } of [
      { ...signed, version: 1, price_cents: 40_000 },
      { ...archived, version: 2, price_cents: 45_000 },
    ])
      expect(await world.deps.plans.rows.findOne({ _id: plan._id })).toMatchObject({
        version,
        lines: [{ price_cents }],
      });
    expect(await world.deps.campaigns.byId(archived.plan.ws, archived.campaign._id)).toMatchObject({
      archived_at: NOW,
      rev: 2,
    });
    expect(await waiting()).toBe(0);
  });

  const builtMeanwhile = async () => {
    world.neighbours.followed = [];
    const candidate = aCandidate({ price_cents: 40_000 });
    const [unit] = candidate.units;
    if (unit === undefined) throw new Error('a candidate sells something');
    const sold = aUnit({ unit_id: unit.unit_id, creator_id: candidate.creator_id, price_cents: 44_000 });
    world.neighbours.units.set(unit.unit_id, sold);
    world.neighbours.candidates = [candidate];
    world.neighbours.whileAsked = async () => {
      await announce([unit.unit_id], candidate.creator_id);
    };
    const ctx = brand();
    const { plan } = await world.value('create_campaign', ctx, { ...A_LAUNCH, budget_usd: 450 });
    expect(plan).toMatchObject({ version: 1, total_cents: 40_000 });
    expect(world.neighbours.followed).toEqual([plan?.plan_id]);
    return { ctx, planId: plan?.plan_id ?? '' };
  };

  it('finds a plan that was being built at the former price when the event came', async () => {
    const { ctx, planId } = await builtMeanwhile();
    expect(await sweep(after(5_999))).toBe(0);
    expect(await sweep(after(6_000))).toBe(1);
    expect(await world.value('plan_quote', again(ctx), { id: planId })).toMatchObject({
      version: 2,
      total_cents: 44_000,
    });
  });

  it('reprices such a plan as soon as it is stored, and leaves one without a price move alone', async () => {
    const { ctx, planId } = await builtMeanwhile();
    let asked = 0;
    const follow = followPricesOf(world.deps, () => {
      asked += 1;
      return sweep(after(1));
    });
    const stored = await world.deps.plans.byId(ctx.principal.workspace, planId);
    if (stored === null) throw new Error('the plan is not there');
    await follow({ ...stored, lines: [] });
    expect(asked).toBe(0);
    await follow(stored);
    expect(asked).toBe(1);
    expect(await world.value('plan_quote', again(ctx), { id: planId })).toMatchObject({ version: 2 });
  });

  it('finds an edit decided on the former price, and checks a last time once every write has ended', async () => {
    const [onPlan, unit] = [aUnit({ price_cents: 10_000 }), aUnit({ price_cents: 20_000 })];
    const { ctx, plan } = await world.planned({ units: [onPlan] });
    world.neighbours.units.set(unit.unit_id, unit);
    world.neighbours.whilePricing = async () => {
      priced(unit.unit_id, 25_000);
      await announce([unit.unit_id], unit.creator_id);
      expect(await sweep(after(6_000))).toBe(0);
    };
    const { plan: edited } = await world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: unit.unit_id });
    expect(edited).toMatchObject({ version: 2, total_cents: 30_000 });
    expect(await sweep(after(44_999))).toBe(0);
    expect(await sweep(after(45_000))).toBe(1);
    expect(await world.value('plan_quote', again(ctx), { id: plan._id })).toMatchObject({ total_cents: 35_000 });
    expect(await world.deps.priceMoves.rows.countDocuments({ _id: unit.creator_id })).toBe(0);
  });

  it('checks plans at another price, and after a sandbox’s move only its own', async () => {
    const unit = aUnit({ price_cents: 10_000 });
    const [{ plan }, { plan: other }] = [
      await world.planned({ units: [unit] }),
      await world.planned({ units: [unit] }),
    ];
    const asked: string[] = [];
    const repricings = Object.assign(Object.create(world.deps.repricings), {
      ask: async (plans: readonly { _id: string }[]) => void asked.push(...plans.map(({ _id }) => _id)),
    });
    const look = async () => {
      asked.length = 0;
      await repricePlans({ ...world.deps, repricings }).run(at(after(6_000)), null);
      return [...asked].sort();
    };
    await world.deps.priceMoves.note(unit.creator_id, [unit.unit_id], after(0));
    expect(await look()).toEqual([]);
    await world.deps.priceMoves.note(unit.creator_id, [unit.unit_id], after(0));
    priced(unit.unit_id, 11_000);
    expect(await look()).toEqual([plan._id, other._id].sort());
    await world.deps.priceMoves.rows.deleteMany({});
    await world.deps.priceMoves.noteIn(other.ws, unit.unit_id, after(0));
    expect(await look()).toEqual([other._id]);
  });

  it('restarts its checks when prices of the creator move again', async () => {
    const creatorId = randomUUID();
    const { priceMoves } = world.deps;
    await priceMoves.note(creatorId, ['one'], after(0));
    const [first] = await priceMoves.rows.find({ _id: creatorId }).toArray();
    await priceMoves.note(creatorId, ['other'], after(1_000));
    if (first !== undefined) await priceMoves.looked([first]);
    expect(await priceMoves.rows.findOne({ _id: creatorId })).toEqual({
      _id: creatorId,
      ws: null,
      unit_ids: ['one', 'other'],
      next: after(7_000),
      last: after(46_000),
    });
    await priceMoves.rows.deleteOne({ _id: creatorId });
  });

  it('waits while catalog is unavailable, and is decided again when an edit is faster', async () => {
    const [unit, other] = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 10_000 })];
    const { ctx, plan } = await world.planned({ units: [unit, other], campaign: { budget_cents: 90_000 } });
    priced(unit.unit_id, 45_000);
    world.neighbours.catalogUnavailable = true;
    await announce([unit.unit_id]);
    expect(await sweep()).toBe(0);
    expect(await waiting()).toBe(1);
    world.neighbours.catalogUnavailable = false;
    await world.deps.shell.store.db.collection('put_off').updateMany({}, { $set: { next_at: new Date(0) } });

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
