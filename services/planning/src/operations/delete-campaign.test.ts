import { proves } from '@cds/contracts/testing';
import { type Ctx, sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { buildPlans } from '../sweeps/build-plans.js';
import { aCampaign, aCandidate, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('delete_campaign', () => {
  const world = testWorld('delete_campaign');

  const aDraft = async (ctx: Ctx, over: Partial<Campaign> = {}): Promise<Campaign> => {
    const draft = aCampaign({ ws: ctx.principal.workspace, no_plan: 'no_candidates', ...over });
    await world.deps.campaigns.rows.insertOne(draft);
    return draft;
  };

  it('deletes a draft, archived or not, and answers the same to the same command', async () => {
    proves('delete.draft');
    for (const archived_at of [null, NOW]) {
      const ctx = brand();
      const draft = await aDraft(ctx, { archived_at });
      const value = await world.value('delete_campaign', ctx, { id: draft._id });
      expect(value).toEqual({ id: draft._id, deleted: true });
      expect(await world.deps.campaigns.byId(draft.ws, draft._id)).toBeNull();
      expect(await world.call('delete_campaign', ctx, { id: draft._id })).toMatchObject({ replayed: true, value });
      expect(await world.error('delete_campaign', again(ctx), { id: draft._id })).toMatchObject({ code: 'not_found' });
      expect(await world.documents(draft.ws)).toMatchObject({
        audit: [{ action: 'campaign.delete' }],
        outbox: [{ aggregate: draft._id, version: draft.rev + 1, payload: { deleted: true } }],
      });
    }
  });

  it('does not give the start back', async () => {
    proves('delete.slot-kept');
    world.neighbours.candidates = [];
    const ctx = brand();
    const input = {
      goal: 'launch' as const,
      product: 'Rocket',
      moment: 'Soon',
      window_start: '2026-12-01',
      window_end: '2026-12-20',
      budget_usd: 10,
      audience: 'Founders of companies',
    };
    for (let start = 0; start < 3; start += 1) {
      const { id } = await world.value('create_campaign', again(ctx), input);
      await world.value('delete_campaign', again(ctx), { id });
    }
    expect(await world.error('create_campaign', again(ctx), input)).toMatchObject({
      code: 'rate_limited',
      details: { reason: 'daily_campaign_limit' },
    });
  });

  it('races the building of a plan, which leaves the campaign with its plan or neither (I34)', async () => {
    world.neighbours.candidates = [aCandidate()];
    const time = sweepTime(NOW, new Map());
    const ends = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const ctx = brand();
      const draft = await aDraft(ctx, { no_plan: 'building' });
      const [answer] = await Promise.all([
        world.call('delete_campaign', ctx, { id: draft._id }),
        buildPlans({ ...world.deps }).run(time, draft.ws),
      ]);
      const campaign = await world.deps.campaigns.byId(draft.ws, draft._id);
      const plan = await world.deps.plans.byCampaign(draft.ws, draft._id);
      ends.add(answer.ok ? 'deleted' : 'built');
      expect(answer.ok).toBe(campaign === null);
      expect(plan === null).toBe(campaign === null);
      if (!answer.ok) expect(answer.error).toMatchObject({ details: { reason: 'has_plan' } });
      expect(campaign?.plan_id ?? null).toBe(plan?._id ?? null);
    }
    expect(ends.size).toBeGreaterThan(0);
  });
});
