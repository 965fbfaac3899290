import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { aMandate } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aUnit, NOW } from '../test/builders.js';
import { again, aWorld, brand, type World } from '../test/world.js';

describe('rename_campaign', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('rename_campaign');
  });
  afterAll(() => world.drop());

  it('replaces the stored name, which the list then shows, cut at a word at 60 characters', async () => {
    proves('rename.replaces-name', 'campaigns.stored-name');
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit()] });
    const name = `Rocket ${'x'.repeat(50)} ${'y'.repeat(50)}`;
    const shown = `Rocket ${'x'.repeat(50)}…`;
    expect(await world.value('rename_campaign', ctx, { id: campaign._id, name })).toEqual({
      id: campaign._id,
      campaign: name,
      display_name: shown,
    });
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toMatchObject([{ display_name: shown }]);
    expect(await world.value('campaign_status', again(ctx), { id: campaign._id })).toMatchObject({ campaign: name });
    expect(await world.deps.plans.byId(plan.ws, plan._id)).toEqual(plan);

    const { outbox, audit } = await world.documents(plan.ws);
    expect(outbox).toMatchObject([{ payload: { campaign: name, display_name: shown, version: 2 } }]);
    expect(audit).toMatchObject([{ action: 'campaign.rename', object: campaign._id }]);
  });

  it.each<[string, Parameters<World['planned']>[0], object]>([
    [
      'of an archived campaign, before the mandate is checked',
      { ctx: brand({ mandate: null }), campaign: { archived_at: NOW } },
      { code: 'conflict', details: { reason: 'archived' } },
    ],
    [
      'without a mandate',
      { ctx: brand({ mandate: null }) },
      { code: 'mandate_refused', details: { reason: 'no_mandate', escalate: true } },
    ],
    [
      'by an expired mandate',
      { ctx: brand({ mandate: aMandate({ expires_at: NOW.toISOString() }) }) },
      { code: 'mandate_refused', details: { reason: 'mandate_expired', escalate: true } },
    ],
  ])('is refused %s and changes nothing (I34)', async (_name, of, error) => {
    proves('rename.archived-409', 'edits.mandate-needed');
    const { ctx, campaign } = await world.planned({ ...of, units: [aUnit()] });
    const before = await world.documents(campaign.ws);
    expect(await world.error('rename_campaign', ctx, { id: campaign._id, name: 'Other' })).toMatchObject(error);
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('renames a campaign whose plan is signed too', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()], plan: { status: 'approved', approved_at: NOW } });
    expect(await world.value('rename_campaign', ctx, { id: campaign._id, name: 'Later' })).toMatchObject({
      campaign: 'Later',
    });
  });

  it('answers 404 for absent and foreign campaigns', async () => {
    const { campaign } = await world.planned({ units: [aUnit()] });
    const absent = await world.error('rename_campaign', brand(), { id: randomUUID(), name: 'Mine' });
    expect(absent).toMatchObject({ code: 'not_found' });
    expect(await world.error('rename_campaign', brand(), { id: campaign._id, name: 'Mine' })).toEqual(absent);
  });

  it('is decided again and refused after an archive in between (I57)', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    const { campaigns } = world.deps;
    const read = campaigns.byId.bind(campaigns);
    let raced = false;
    campaigns.byId = async (ws, id) => {
      const found = await read(ws, id);
      if (!raced) {
        raced = true;
        await campaigns.rows.updateOne({ _id: id }, { $set: { archived_at: NOW }, $inc: { rev: 1 } });
      }
      return found;
    };
    try {
      expect(await world.error('rename_campaign', ctx, { id: campaign._id, name: 'Late' })).toMatchObject({
        details: { reason: 'archived' },
      });
    } finally {
      campaigns.byId = read;
    }
    expect(await campaigns.byId(campaign.ws, campaign._id)).toMatchObject({ name: campaign.name, renamed_to: null });
  });
});
