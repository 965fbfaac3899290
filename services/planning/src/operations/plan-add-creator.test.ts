import { proves } from '@cds/contracts/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('plan_add_creator', () => {
  const world = testWorld('plan_add_creator');

  const selling = (over: Parameters<typeof aUnit>[0] = {}) => {
    const unit = aUnit(over);
    world.neighbours.units.set(unit.unit_id, unit);
    return unit;
  };

  it('adds a line, reprices, and stores version, campaign, events and audit together', async () => {
    const onPlan = aUnit({ price_cents: 40_000 });
    const { ctx, plan, campaign } = await world.planned({ units: [onPlan] });
    world.neighbours.units.set(onPlan.unit_id, { ...onPlan, price_cents: 41_000 });
    const unit = selling({ price_cents: 60_000 });

    const answer = await world.call('plan_add_creator', ctx, {
      id: plan._id,
      unit_id: unit.unit_id,
      scheduled_date: '2026-12-05',
    });
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.status).toBe(201);
    expect(answer.value.plan).toMatchObject({ version: 2, total_cents: 101_000, order: null });
    expect(answer.value.plan.lines[1]).toMatchObject({
      id: answer.value.line_id,
      unit_id: unit.unit_id,
      scheduled_date: '2026-12-05',
      creator: { handle: null, profile_url: null, name: 'Ada Example' },
    });

    const stored = await world.deps.plans.byId(plan.ws, plan._id);
    expect(stored).toMatchObject({ version: 2, terms_fingerprint: answer.value.plan.terms_fingerprint });
    expect(stored?.terms_fingerprint).not.toBe(plan.terms_fingerprint);
    expect(await world.deps.campaigns.byId(plan.ws, campaign._id)).toMatchObject({ rev: 2 });
    const events = await world.shell.outbox.rows.find({ aggregate: plan._id }).toArray();
    expect(events.map((event) => [event.version, event.payload['total_cents']])).toEqual([[2, 101_000]]);
    expect(await world.shell.audit.rows.countDocuments({ ws: plan.ws, action: 'plan.add_creator' })).toBe(1);
  });

  it.each([
    ['to a plan', 65_000],
    ['to current, which starts one', 25_000],
  ])('reads prices again when they are older than five seconds at the commit: %s', async (to, total) => {
    const { ctx, plan } = await world.planned({ units: [aUnit({ price_cents: 40_000 })] });
    const unit = selling({ price_cents: 20_000 });
    const real = performance.now.bind(performance);
    let slept = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + slept);
    world.neighbours.whilePricing = async () => {
      slept = 5_001;
      selling({ ...unit, price_cents: 25_000 });
    };
    const answer = await (to === 'to a plan'
      ? world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: unit.unit_id })
      : world.value('plan_add_creator', brand(), { id: 'current', unit_id: unit.unit_id }));
    clock.mockRestore();
    expect(answer.plan.total_cents).toBe(total);
  });

  it('never adds past the budget, however many adds race (I27)', async () => {
    const { ctx, plan } = await world.planned({
      units: [aUnit({ price_cents: 10_000 })],
      campaign: { budget_cents: 35_000 },
    });
    const units = Array.from({ length: 5 }, () => selling({ price_cents: 10_000 }));
    await Promise.all(
      units.map((unit) => world.call('plan_add_creator', again(ctx), { id: plan._id, unit_id: unit.unit_id })),
    );
    const stored = await world.deps.plans.byId(plan.ws, plan._id);
    expect(stored?.lines.reduce((sum, line) => sum + line.price_cents, 0)).toBe(30_000);
  });

  describe('with id current (docs/domain/plans.md#plan-current)', () => {
    it('starts a campaign and a plan when none awaits approval, and counts as a start', async () => {
      proves('add.current-starts-plan', 'add.current-counts-start');
      const ctx = brand();
      const workspace = ctx.principal.workspace;
      await world.value('context_set', again(ctx), {
        workspace,
        workspace_name: 'Acme',
        name: 'Rockets Inc',
        summary: null,
        audience: 'Rocket scientists',
      });
      const unit = selling();
      const value = await world.value('plan_add_creator', ctx, { id: 'current', unit_id: unit.unit_id });
      expect(value.plan).toMatchObject({
        version: 1,
        launch_window_start: '2026-11-24',
        launch_window_end: '2026-12-21',
        totals: { budget_cents: null },
      });
      const campaign = await world.deps.campaigns.byId(workspace, value.plan.campaign_id);
      expect(campaign).toMatchObject({
        goal: null,
        product: null,
        budget_cents: null,
        intent_status: null,
        company: 'Rockets Inc',
        audience: 'Rocket scientists',
        name: 'Rockets Inc, creators, November 2026',
        number: 1,
      });
      expect(value.plan.lines[0]).toMatchObject({ scheduled_date: '2026-11-24', on_sale: true });
      expect((await world.deps.plans.byId(workspace, value.plan.plan_id))?.lines[0]?.slot).toBe('Day 1, post');
      expect((await world.deps.starts.rows.findOne({ _id: workspace }))?.at).toHaveLength(1);
    });

    it.each([
      ['category_banned', 'Acme Spirits', 'We distil gin and vodka.'],
      ['category_review', 'Acme', 'A crypto exchange.'],
    ])('answers %s by the context before it checks the mandate, and starts nothing', async (reason, name, summary) => {
      const ctx = brand({ mandate: null });
      const { workspace } = ctx.principal;
      await world.value('context_set', again(ctx), {
        workspace,
        workspace_name: 'Acme',
        name,
        summary,
        audience: null,
      });
      const before = await world.documents(workspace);
      const error = await world.error('plan_add_creator', ctx, { id: 'current', unit_id: selling().unit_id });
      expect(error).toMatchObject({ code: 'conflict', details: { reason } });
      expect(await world.documents(workspace)).toEqual(before);
    });

    it('adds to the newest plan that awaits approval in a campaign not archived', async () => {
      proves('add.current-starts-plan');
      const ctx = brand();
      const older = await world.planned({ ctx, units: [aUnit()], plan: { sent_at: new Date('2026-11-01T00:00:00Z') } });
      const newer = await world.planned({ ctx, units: [aUnit()], plan: { sent_at: new Date('2026-11-02T00:00:00Z') } });
      await world.planned({ ctx, units: [aUnit()], campaign: { archived_at: NOW } });
      await world.planned({ ctx, units: [aUnit()], plan: { status: 'approved', approved_at: NOW } });
      const value = await world.value('plan_add_creator', ctx, { id: 'current', unit_id: selling().unit_id });
      expect(value.plan.plan_id).toBe(newer.plan._id);
      expect((await world.deps.plans.byId(ctx.principal.workspace, older.plan._id))?.version).toBe(1);
    });

    it('joins the plan that another add starts at the same moment', async () => {
      const [one, other] = [selling({ price_cents: 10_000 }), selling({ price_cents: 20_000 })];
      const ctx = brand();
      world.neighbours.whilePricing = async () => {
        await world.value('plan_add_creator', again(ctx), { id: 'current', unit_id: one.unit_id });
      };
      const { plan } = await world.value('plan_add_creator', again(ctx), { id: 'current', unit_id: other.unit_id });
      expect(plan).toMatchObject({ version: 2, total_cents: 30_000, totals: { creators: 2 } });
      expect(await world.deps.campaigns.rows.countDocuments({ ws: ctx.principal.workspace })).toBe(1);
    });

    it('is refused as a fourth start in a day, by the same limit as POST /campaigns', async () => {
      proves('add.current-counts-start', 'limits.campaign-starts-429');
      const ctx = brand();
      for (let start = 0; start < 3; start += 1) {
        const { plan } = await world.value('plan_add_creator', again(ctx), {
          id: 'current',
          unit_id: selling().unit_id,
        });
        await world.deps.campaigns.rows.updateOne({ _id: plan.campaign_id }, { $set: { archived_at: NOW } });
      }
      const error = await world.error('plan_add_creator', again(ctx), { id: 'current', unit_id: selling().unit_id });
      expect(error).toMatchObject({ code: 'rate_limited', details: { reason: 'daily_campaign_limit' } });
      expect(await world.deps.campaigns.rows.countDocuments({ ws: ctx.principal.workspace })).toBe(3);
    });
  });
});
