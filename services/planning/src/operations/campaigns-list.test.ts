import { describe, expect, it } from '@jest/globals';
import { aCampaign, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('campaigns_list', () => {
  const world = testWorld('campaigns_list');

  it('is empty for a workspace without campaigns, and says why', async () => {
    const ctx = brand();
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toEqual([]);
    const noteOf = async (include_archived?: boolean) => {
      const asked = include_archived === undefined ? {} : { include_archived };
      return (await world.value('campaigns_list', again(ctx), asked)).note;
    };
    expect(await noteOf(true)).toBe('No campaigns yet. Create one.');
    await world.deps.campaigns.rows.insertOne(aCampaign({ ws: ctx.principal.workspace, archived_at: NOW }));
    expect(await noteOf()).toBe('Every campaign is archived. Pass include_archived, or create one.');
    expect(await noteOf(true)).toBeUndefined();
  });

  it('lists campaigns of the workspace, newest first, archived ones only when asked', async () => {
    const ctx = brand();
    const ws = ctx.principal.workspace;
    const draft = aCampaign({ ws, created_at: new Date('2026-11-01T00:00:00Z'), product: null, company: null });
    const archived = aCampaign({
      ws,
      created_at: new Date('2026-11-03T00:00:00Z'),
      archived_at: NOW,
      renamed_to: 'Old one',
    });
    await world.deps.campaigns.rows.insertMany([draft, archived, aCampaign()]);
    const planned = await world.planned({
      ctx,
      units: [aUnit()],
      campaign: { created_at: new Date('2026-11-02T00:00:00Z') },
    });

    const { campaigns } = await world.value('campaigns_list', ctx, {});
    expect(campaigns.map((campaign) => campaign.id)).toEqual([planned.campaign._id, draft._id]);
    expect(campaigns).toMatchObject([
      {
        display_name: 'Acme Rocket',
        objective: 'Views and sign-ups on launch day',
        plan_status: 'awaiting_approval',
        stage_id: 'plan_ready',
        stage: 'Plan ready',
        waits_on_you: true,
      },
      { display_name: 'Untitled campaign', plan_status: null, stage_id: 'draft', waits_on_you: false },
    ]);
    const all = await world.value('campaigns_list', ctx, { include_archived: true });
    expect(all.campaigns[0]).toMatchObject({
      display_name: 'Old one',
      stage: 'Archived',
      stage_id: 'draft',
      archived_at: NOW.toISOString(),
    });
    expect((await world.value('campaigns_list', ctx, { include_archived: false })).campaigns).toHaveLength(2);
  });
});
