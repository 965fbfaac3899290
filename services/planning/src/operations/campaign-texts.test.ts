import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { brand } from '../test/world.js';

describe('campaign_texts', () => {
  const world = testWorld('campaign_texts');

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
