import { randomUUID } from 'node:crypto';
import { Deadline, inTx, LostRace } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { aCampaign, NOW } from '../test/builders.js';
import { Campaigns } from './campaigns.js';

describe('the touch of a campaign (docs/reliability.md#plan-edits; I57)', () => {
  let opened: Awaited<ReturnType<typeof testStore>>;
  let campaigns: Campaigns;
  beforeAll(async () => {
    opened = await testStore('campaigns');
    campaigns = new Campaigns(opened.store);
    await opened.store.migrate();
  });
  afterAll(() => opened.drop());

  const stored = async (over: Partial<Campaign> = {}): Promise<Campaign> => {
    const campaign = aCampaign(over);
    await campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const touch = (campaign: Campaign) =>
    inTx(opened.store, Deadline.in(30_000), (tx) => campaigns.touch(tx, campaign, { open_change: true }));

  it('raises rev and sets the changed fields', async () => {
    const campaign = await stored();
    await touch(campaign);
    expect(await campaigns.byId(campaign.ws, campaign._id)).toEqual({ ...campaign, rev: 2, open_change: true });
  });

  it.each<[string, Partial<Campaign>, (campaign: Campaign) => Campaign]>([
    ['another rev', {}, (campaign) => ({ ...campaign, rev: 2 })],
    ['another workspace', {}, (campaign) => ({ ...campaign, ws: randomUUID() })],
    ['an archived campaign', { archived_at: NOW }, (campaign) => campaign],
  ])('is lost on %s', async (_name, over, other) => {
    const campaign = await stored(over);
    await expect(touch(other(campaign))).rejects.toThrow(LostRace);
    expect(await campaigns.byId(campaign.ws, campaign._id)).toEqual(campaign);
  });
});
