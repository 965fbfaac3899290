import { describe, expect, it } from '@jest/globals';
import { aCampaign, aSigning, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, person, type World } from '../test/world.js';

describe('campaign_budget_set', () => {
  const world = testWorld('campaign_budget_set');

  /** A plan of one line at $450 whose unit now costs `now`, under a budget of $5,000 by default. */
  const priced = async (now: number, of: Parameters<World['planned']>[0] = {}) => {
    const unit = aUnit({ price_cents: 45_000 });
    const planned = await world.planned({ ...of, units: [unit] });
    world.neighbours.units.set(unit.unit_id, { ...unit, price_cents: now });
    return { ...planned, who: person({ workspace: planned.campaign.ws }) };
  };

  it('takes the plan to current prices where these fit the budget, as a new version', async () => {
    const { who, campaign, plan } = await priced(60_000, { campaign: { budget_cents: 50_000 } });
    const quote = await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 600 });
    expect(quote).toMatchObject({
      version: 2,
      total_cents: 60_000,
      totals: { budget_cents: 60_000, remaining_cents: 0 },
      over_budget: null,
      mandate: null,
    });
    expect(quote?.terms_fingerprint).not.toBe(plan.terms_fingerprint);
    expect(await world.deps.campaigns.byId(campaign.ws, campaign._id)).toMatchObject({ budget_cents: 60_000, rev: 2 });
    const { outbox } = await world.documents(campaign.ws);
    expect(outbox).toHaveLength(2);
  });

  it('keeps the prices and reports by how much they exceed a lower budget', async () => {
    const { who, campaign, plan } = await priced(60_000);
    const quote = await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 599.99 });
    expect(quote).toMatchObject({
      version: 1,
      total_cents: 45_000,
      over_budget: { budget_cents: 59_999, total_cents: 60_000, over_by_cents: 1 },
      terms_fingerprint: plan.terms_fingerprint,
    });
    expect(await world.deps.plans.byId(plan.ws, plan._id)).toEqual(plan);
  });

  it('answers null without a plan', async () => {
    const campaign = aCampaign({ no_plan: 'budget_too_small' });
    await world.deps.campaigns.rows.insertOne(campaign);
    const who = person({ workspace: campaign.ws });
    expect(await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 10 })).toBeNull();
    expect(await world.deps.campaigns.byId(campaign.ws, campaign._id)).toMatchObject({ budget_cents: 1_000 });
  });

  it.each([
    ['plan_signed', { plan: { status: 'approved' as const, approved_at: NOW }, campaign: { archived_at: NOW } }],
    ['archived', { campaign: { archived_at: NOW } }],
  ])('is refused as %s and changes nothing', async (reason, of) => {
    const { who, campaign } = await priced(60_000, of);
    const before = await world.documents(campaign.ws);
    expect(await world.error('campaign_budget_set', who, { id: campaign._id, budget_usd: 1_000 })).toMatchObject({
      code: 'conflict',
      details: { reason },
    });
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('is decided again after an edit in between, and keeps the edit (I57)', async () => {
    const { who, ctx, campaign, plan } = await priced(45_000);
    const added = aUnit({ price_cents: 30_000 });
    world.neighbours.units.set(added.unit_id, added);
    world.neighbours.whilePricing = async () => {
      await world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: added.unit_id });
    };
    const quote = await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 800 });
    expect(quote).toMatchObject({ version: 2, total_cents: 75_000, totals: { remaining_cents: 5_000 } });
  });

  it('overtakes an edit, which is then decided by the new budget (I57, I27)', async () => {
    const { who, ctx, campaign, plan } = await priced(45_000);
    const added = aUnit({ price_cents: 30_000 });
    world.neighbours.units.set(added.unit_id, added);
    world.neighbours.whilePricing = async () => {
      await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 700 });
    };
    expect(await world.error('plan_add_creator', again(ctx), { id: plan._id, unit_id: added.unit_id })).toMatchObject({
      details: { reason: 'over_budget', budget_cents: 70_000, over_by_cents: 5_000 },
    });
  });

  it('lets a plan that was too expensive be built at once', async () => {
    const campaign = aCampaign({
      no_plan: 'budget_too_small',
      build: { max_plan_cents: 500_000, sandbox: false, retry_at: NOW },
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    const who = person({ workspace: campaign.ws });
    expect(await world.value('campaign_budget_set', who, { id: campaign._id, budget_usd: 900 })).toBeNull();
    expect((await world.deps.campaigns.byId(campaign.ws, campaign._id))?.no_plan).toBe('building');
    expect(world.neighbours.begun).toContain(campaign.ws);
  });

  it('races a signing, which is then signed on the old budget or refused by the new (I57)', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const { who, ctx, campaign, plan } = await priced(45_000);
      const [budget, signed] = await Promise.all([
        world.call('campaign_budget_set', who, { id: campaign._id, budget_usd: 100 }),
        world.value('plan_sign', again(ctx), aSigning(plan)),
      ]);
      const after = await world.deps.campaigns.byId(campaign.ws, campaign._id);
      ends.add(signed.kind);
      if (signed.kind === 'signed') {
        expect(budget).toMatchObject({ ok: false, error: { details: { reason: 'plan_signed' } } });
        expect(after?.budget_cents).toBe(500_000);
      } else {
        expect(budget.ok).toBe(true);
        expect(signed).toMatchObject({ kind: 'refused', refusal: { reason: 'over_budget' } });
        expect(after?.budget_cents).toBe(10_000);
      }
    }
    expect(ends.size).toBeGreaterThan(0);
  });
});
