import { randomUUID } from 'node:crypto';
import { mayOperate, operationMap } from '@cds/contracts';
import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { buildPlans } from '../sweeps/build-plans.js';
import { aCampaign, aCandidate, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, operator } from '../test/world.js';

describe('ops_campaign_screening', () => {
  const world = testWorld('ops_campaign_screening');

  const underReview = async (over: Partial<Campaign> = {}) => {
    const campaign = aCampaign({
      category: 'crypto',
      no_plan: 'category_review',
      build: { max_plan_cents: 45_000, sandbox: false, retry_at: null },
      ...over,
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const decide = (id: string, decision: 'allowed' | 'banned', who = operator()) =>
    world.call('ops_campaign_screening', who, { id, decision, reason: 'Licensed in the EU.' });

  it('builds the plan of an allowed campaign, and audits who decided and why', async () => {
    const campaign = await underReview();
    const lead = operator();
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
    const sweep = () => buildPlans(world.deps).run(sweepTime(NOW, new Map()), campaign.ws);
    expect(await sweep()).toBe(0);
    expect(await decide(campaign._id, 'allowed', lead)).toMatchObject({
      ok: true,
      value: {
        id: campaign._id,
        workspace: campaign.ws,
        campaign: campaign.name,
        category: 'crypto',
        no_plan: 'building',
      },
    });
    expect(world.neighbours.begun).toContain(campaign.ws);
    expect(await sweep()).toBe(1);
    expect(await world.deps.plans.byCampaign(campaign.ws, campaign._id)).not.toBeNull();
    expect(
      await world.store.db.collection('audit').findOne({ object: campaign._id, actor: /^operator/ }),
    ).toMatchObject({
      ws: campaign.ws,
      actor: `operator:${lead.principal.operator?.id}`,
      action: 'campaign.screening_allowed',
      reason: 'Licensed in the EU.',
    });
  });

  it('makes no plan for a banned campaign', async () => {
    const campaign = await underReview();
    expect(await decide(campaign._id, 'banned')).toMatchObject({ ok: true, value: { no_plan: 'category_banned' } });
    expect((await world.deps.campaigns.byId(campaign.ws, campaign._id))?.no_plan).toBe('category_banned');
    expect(world.neighbours.begun).not.toContain(campaign.ws);
  });

  it('lifts a ban, which nobody imposes twice', async () => {
    const campaign = await underReview({ category: 'gambling', no_plan: 'category_banned' });
    expect(await decide(campaign._id, 'banned')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { reason: 'bad_state' } },
    });
    expect(await decide(campaign._id, 'allowed')).toMatchObject({ ok: true, value: { no_plan: 'building' } });
    expect(world.neighbours.begun).toContain(campaign.ws);
  });

  it.each([
    ['one that was decided', { no_plan: 'building' as const }],
    ['one that has its plan', { no_plan: null, plan_id: randomUUID() }],
    ['one in the archive', { archived_at: NOW }],
  ])('refuses %s, and changes nothing', async (_name, over) => {
    const campaign = await underReview(over);
    const before = await world.documents(campaign.ws);
    expect(await decide(campaign._id, 'allowed')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { reason: 'bad_state' } },
    });
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('decides once when two leads decide at the same time', async () => {
    const campaign = await underReview();
    const answers = await Promise.all([decide(campaign._id, 'allowed'), decide(campaign._id, 'allowed')]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await world.deps.campaigns.byId(campaign.ws, campaign._id))?.rev).toBe(2);
  });

  it('replays its answer under the same key, and answers 404 for an absent campaign', async () => {
    const campaign = await underReview();
    const lead = operator();
    const first = await decide(campaign._id, 'allowed', lead);
    expect(await decide(campaign._id, 'allowed', lead)).toEqual({ ...first, replayed: true });
    expect(await decide(randomUUID(), 'allowed', again(lead))).toMatchObject({ error: { code: 'not_found' } });
  });

  it('is for leads only', () => {
    const { ops_campaign_screening: operation } = operationMap;
    expect(mayOperate('lead', operation)).toBe(true);
    for (const role of ['viewer', 'network', 'fulfilment', 'finance'] as const)
      expect(mayOperate(role, operation)).toBe(false);
  });
});
