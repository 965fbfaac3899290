import { describe, expect, it } from '@jest/globals';
import { aCampaign, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, person, type World } from '../test/world.js';

describe('campaign_change_request and campaign_change_withdraw', () => {
  const world = testWorld('campaign_change_request');

  it('open and close a change, during which the campaign does not wait on the brand and can be edited', async () => {
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit(), aUnit()] });
    const who = person({ workspace: campaign.ws });
    const asked = await world.value('campaign_change_request', who, { id: campaign._id, message: 'Fewer quotes' });
    expect(asked).toMatchObject({ open_change: true, waits_on_you: false, stage_id: 'plan_ready' });
    expect(await world.deps.campaigns.byId(campaign.ws, campaign._id)).toMatchObject({
      change_request: { message: 'Fewer quotes', asked_at: NOW, asked_by: `person:${who.principal.person?.id}` },
    });
    await world.value('plan_remove_creator', again(ctx), { id: plan._id, line_id: plan.lines[0]?.id ?? '' });

    const withdrawn = await world.value('campaign_change_withdraw', again(who), { id: campaign._id });
    expect(withdrawn).toMatchObject({ open_change: false, waits_on_you: true });
    const before = await world.documents(campaign.ws);
    expect(await world.value('campaign_change_withdraw', again(who), { id: campaign._id })).toEqual(withdrawn);
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it.each<[string, Parameters<World['planned']>[0]]>([
    ['plan_signed', { plan: { status: 'approved', approved_at: NOW }, campaign: { archived_at: NOW } }],
    ['archived', { campaign: { archived_at: NOW } }],
  ])('is refused as %s', async (reason, of) => {
    const { campaign } = await world.planned({ ...of, units: [aUnit()] });
    const who = person({ workspace: campaign.ws });
    expect(await world.error('campaign_change_request', who, { id: campaign._id, message: 'x' })).toMatchObject({
      code: 'conflict',
      details: { reason },
    });
  });

  it('is refused without a plan, and not found in another workspace', async () => {
    const draft = aCampaign();
    await world.deps.campaigns.rows.insertOne(draft);
    const input = { id: draft._id, message: 'x' };
    expect(await world.error('campaign_change_request', person({ workspace: draft.ws }), input)).toMatchObject({
      details: { reason: 'bad_state' },
    });
    expect(await world.error('campaign_change_request', person(), input)).toMatchObject({ code: 'not_found' });
    expect(await world.error('campaign_change_withdraw', person(), { id: draft._id })).toMatchObject({
      code: 'not_found',
    });
  });
});
