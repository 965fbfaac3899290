import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, person } from '../test/world.js';

describe('campaign_archive and campaign_unarchive', () => {
  const world = testWorld('campaign_archive');

  it('put a campaign into the archive and take it out, with the same stage_id', async () => {
    proves('archive.leaves-list', 'archive.sets-archived-at', 'stages.archived-label');
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    const who = person({ workspace: campaign.ws });
    const row = { id: campaign._id, stage_id: 'plan_ready', stage: 'Archived', waits_on_you: false };
    const archived = await world.value('campaign_archive', who, { id: campaign._id });
    expect(archived).toMatchObject({ ...row, archived_at: NOW.toISOString() });
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toEqual([]);
    expect((await world.value('campaigns_list', again(ctx), { include_archived: true })).campaigns).toEqual([archived]);
    expect(await world.value('campaign_status', again(ctx), { id: campaign._id })).toMatchObject({
      stage_id: 'plan_ready',
      stage: 'Archived',
      archived_at: NOW.toISOString(),
    });

    const back = await world.value('campaign_unarchive', again(who), { id: campaign._id });
    expect(back).toMatchObject({ stage: 'Plan ready', archived_at: null, waits_on_you: true });
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toEqual([back]);
    const { outbox, audit } = await world.documents(campaign.ws);
    expect(outbox?.map((one) => (one['payload'] as { version: number }).version).sort()).toEqual([2, 3]);
    expect(audit?.map((one) => one['action']).sort()).toEqual(['campaign.archive', 'campaign.unarchive']);
    expect(audit?.every((one) => one['actor'] === `person:${who.principal.person?.id}`)).toBe(true);
  });

  it('change nothing when the campaign is there already', async () => {
    const { campaign } = await world.planned({ units: [aUnit()], campaign: { archived_at: new Date(0) } });
    const who = person({ workspace: campaign.ws });
    const before = await world.documents(campaign.ws);
    expect(await world.value('campaign_archive', who, { id: campaign._id })).toMatchObject({
      archived_at: new Date(0).toISOString(),
    });
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('stop edits, rename and guidelines in every stage (I34)', async () => {
    proves('archive.refuses-writes');
    for (const plan of [{}, { status: 'approved' as const, approved_at: NOW }]) {
      const { ctx, campaign } = await world.planned({ units: [aUnit()], plan });
      await world.value('campaign_archive', person({ workspace: campaign.ws }), { id: campaign._id });
      const before = await world.documents(campaign.ws);
      const reason = { code: 'conflict', details: { reason: 'archived' } };
      expect(await world.error('rename_campaign', again(ctx), { id: campaign._id, name: 'x' })).toMatchObject(reason);
      expect(await world.error('set_creator_guidelines', again(ctx), { id: campaign._id })).toMatchObject(reason);
      expect(await world.documents(campaign.ws)).toEqual(before);
    }
  });

  it('run one after the other with edits, each decided on what the other left (I57)', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { ctx, campaign, plan } = await world.planned({ units: [aUnit(), aUnit(), aUnit()] });
      const [archived, ...edits] = await Promise.all([
        world.call('campaign_archive', person({ workspace: campaign.ws }), { id: campaign._id }),
        ...plan.lines
          .slice(0, 2)
          .map(({ id }) => world.call('plan_remove_creator', again(ctx), { id: plan._id, line_id: id })),
        world.call('rename_campaign', again(ctx), { id: campaign._id, name: 'Late' }),
      ]);
      const done = edits.filter((answer) => answer.ok).length;
      for (const answer of edits)
        if (!answer.ok) expect(answer.error).toMatchObject({ details: { reason: 'archived' } });
      expect(archived.ok).toBe(true);
      const after = await world.deps.campaigns.byId(campaign.ws, campaign._id);
      expect(after).toMatchObject({ archived_at: NOW, rev: 2 + done });
      const removed = edits.slice(0, 2).filter((answer) => answer.ok).length;
      expect((await world.deps.plans.byId(plan.ws, plan._id))?.version).toBe(1 + removed);
    }
  });
});
