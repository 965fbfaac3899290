import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { brand } from '../test/world.js';

describe('creator_brief', () => {
  const world = testWorld('creator_brief');

  it('answers company, product and guidelines of a campaign of the workspace, and nothing else', async () => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value('creator_brief', ctx, { id: campaign._id })).toEqual({
      company: campaign.company,
      product: campaign.product,
      guidelines: campaign.guidelines,
      launch_post_url: null,
    });
    expect(await world.error('creator_brief', brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
