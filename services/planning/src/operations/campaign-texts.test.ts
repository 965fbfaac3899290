import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorld, brand, type World } from '../test/world.js';

describe('campaign_texts', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('campaign_texts');
  });
  afterAll(() => world.drop());

  it('answers the audience of a campaign of the workspace', async () => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value('campaign_texts', ctx, { id: campaign._id })).toEqual({
      product: campaign.product,
      audience: campaign.audience,
      geography: campaign.geography,
    });
    expect(await world.error('campaign_texts', brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
