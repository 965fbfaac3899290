import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCampaign, aCandidate, NOW } from '../test/builders.js';
import { aWorld, type World } from '../test/world.js';
import { buildPlans } from './build-plans.js';

const TIME = { network: NOW, of: () => NOW, horizon: NOW };

describe('the sweep that builds plans (domain 2-plans 3)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('build_plans');
  });
  afterAll(() => world.drop());

  const waiting = async (over: Parameters<typeof aCampaign>[0] = {}) => {
    const campaign = aCampaign({
      no_plan: 'building',
      build: { max_plan_cents: 45_000, sandbox: false },
      segments: [],
      ...over,
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const sweep = (only: string | null) => buildPlans(world.deps).run(TIME, only);

  it('builds once catalog answers, under the cap of the start, and only once', async () => {
    const campaign = await waiting();
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 }), aCandidate({ price_cents: 40_000 })];
    world.neighbours.catalogAway = true;
    expect(await sweep(campaign.ws)).toBe(0);
    world.neighbours.catalogAway = false;
    const built = await Promise.all([sweep(campaign.ws), sweep(campaign.ws)]);
    expect(built[0] + built[1]).toBe(1);
    expect(await sweep(campaign.ws)).toBe(0);

    const plan = await world.deps.plans.byCampaign(campaign.ws, campaign._id);
    expect(plan).toMatchObject({ version: 1, status: 'awaiting_approval', lines: [{ price_cents: 40_000 }] });
    expect(await world.deps.campaigns.byId(campaign.ws, campaign._id)).toMatchObject({
      rev: 2,
      no_plan: null,
      plan_id: plan?._id,
      segments: [{ id: 'startup-founders' }],
    });
    expect(await world.shell.outbox.rows.countDocuments({ 'payload.workspace': campaign.ws })).toBe(2);
  });

  it('writes down why there is no plan', async () => {
    const campaign = await waiting();
    world.neighbours.candidates = [];
    expect(await sweep(campaign.ws)).toBe(1);
    expect(await world.deps.campaigns.byId(campaign.ws, campaign._id)).toMatchObject({
      no_plan: 'no_candidates',
      plan_id: null,
    });
  });

  it('leaves archived campaigns and windows that are over alone', async () => {
    const archived = await waiting({ archived_at: NOW });
    const over = await waiting({ window_start: '2026-11-01', window_end: '2026-11-20' });
    world.neighbours.candidates = [aCandidate()];
    expect(await sweep(archived.ws)).toBe(0);
    expect(await sweep(over.ws)).toBe(0);
  });
});
