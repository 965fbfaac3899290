import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { aCampaign, aCandidate, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { brand, person } from '../test/world.js';
import { buildPlans } from './build-plans.js';

const TIME = sweepTime(NOW, new Map());

describe('the sweep that builds plans (docs/domain/plans.md#plan-builder)', () => {
  const world = testWorld('build_plans');

  const waiting = async (over: Parameters<typeof aCampaign>[0] = {}) => {
    const campaign = aCampaign({
      no_plan: 'building',
      build: { max_plan_cents: 45_000, sandbox: false, retry_at: null },
      segments: [],
      ...over,
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const sweep = (only: string | null, time = TIME) => buildPlans(world.deps).run(time, only);
  const at = (network: string, own = network) => ({
    ...sweepTime(new Date(network), new Map()),
    of: () => new Date(own),
  });
  const read = (campaign: Campaign) => world.deps.campaigns.byId(campaign.ws, campaign._id);

  it('builds once catalog answers, under the cap of the start, and only once', async () => {
    const campaign = await waiting();
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 }), aCandidate({ price_cents: 40_000 })];
    world.neighbours.catalogUnavailable = true;
    expect(await sweep(campaign.ws)).toBe(0);
    world.neighbours.catalogUnavailable = false;
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

  it('continues with the others when one campaign cannot be built', async () => {
    const broken = await waiting({ created_at: new Date(0), moment: null as never, goal: 'nothing' as never });
    const sound = await waiting({ ws: broken.ws });
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
    await sweep(broken.ws);
    expect((await read(sound))?.plan_id).not.toBeNull();
    expect(await read(broken)).toMatchObject({ plan_id: null });
  });

  describe('each morning', () => {
    const MORNING = '2026-11-22T06:00:00.000Z';
    const tried = (over: Parameters<typeof aCampaign>[0] = {}) =>
      waiting({
        no_plan: 'budget_too_small',
        build: { max_plan_cents: 45_000, sandbox: false, retry_at: new Date(MORNING) },
        ...over,
      });

    it('tries again in the morning, not before, and puts off the next try when nothing changed', async () => {
      const campaign = await tried();
      world.neighbours.candidates = [aCandidate({ price_cents: 50_000 })];
      expect(await sweep(campaign.ws, at('2026-11-22T05:59:59.999Z'))).toBe(0);
      expect(await read(campaign)).toMatchObject({ rev: 1, build: { retry_at: new Date(MORNING) } });
      expect(await sweep(campaign.ws, at(MORNING))).toBe(0);
      expect(await read(campaign)).toMatchObject({
        rev: 1,
        no_plan: 'budget_too_small',
        build: { retry_at: new Date('2026-11-23T06:00:00.000Z') },
      });
      expect(await world.shell.outbox.rows.countDocuments({ 'payload.workspace': campaign.ws })).toBe(0);
    });

    it('builds what the nightly refresh made possible', async () => {
      const campaign = await tried({ no_plan: 'no_candidates' });
      world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
      expect(await sweep(campaign.ws, at(MORNING))).toBe(1);
      expect(await read(campaign)).toMatchObject({ rev: 2, no_plan: null, build: null });
      expect(await world.deps.plans.byCampaign(campaign.ws, campaign._id)).not.toBeNull();
    });

    it('stores a new reason, and tries again later', async () => {
      const campaign = await tried({ no_plan: 'no_candidates' });
      world.neighbours.candidates = [aCandidate({ price_cents: 50_000 })];
      expect(await sweep(campaign.ws, at(MORNING))).toBe(1);
      expect(await read(campaign)).toMatchObject({
        rev: 2,
        no_plan: 'budget_too_small',
        build: { retry_at: new Date('2026-11-23T06:00:00.000Z') },
      });
    });

    it('ends with archive, deletion and the window, and restarts when the campaign is unarchived', async () => {
      world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
      const archived = await tried({ archived_at: NOW });
      const over = await tried({ window_start: '2026-11-01', window_end: '2026-11-21' });
      const deleted = await tried();
      await world.value('delete_campaign', brand({ workspace: deleted.ws }), { id: deleted._id });
      for (const { ws } of [archived, over, deleted]) expect(await sweep(ws, at(MORNING))).toBe(0);

      await world.value('campaign_unarchive', person({ workspace: archived.ws }), { id: archived._id });
      expect(await sweep(archived.ws, at(MORNING))).toBe(1);
    });

    it('builds nothing for a campaign that is archived or deleted while catalog answers', async () => {
      for (const end of ['campaign_archive', 'delete_campaign'] as const) {
        const campaign = await tried();
        world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
        world.neighbours.whileAsked = async () => {
          const who =
            end === 'delete_campaign' ? brand({ workspace: campaign.ws }) : person({ workspace: campaign.ws });
          await world.value(end, who, { id: campaign._id });
        };
        expect(await sweep(campaign.ws, at(MORNING))).toBe(0);
        expect(await world.deps.plans.byCampaign(campaign.ws, campaign._id)).toBeNull();
      }
    });

    it('skips a sandbox that is past its window, and goes by the network’s time', async () => {
      const campaign = await tried();
      world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
      expect(await sweep(campaign.ws, at(MORNING, '2026-12-21T00:00:00.000Z'))).toBe(0);
      expect(await read(campaign)).toMatchObject({ rev: 1, build: { retry_at: new Date('2026-11-23T06:00:00.000Z') } });
    });
  });
});
