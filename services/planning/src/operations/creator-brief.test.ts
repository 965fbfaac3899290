import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorld, brand, type World } from '../test/world.js';

describe('creator_brief', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('creator_brief');
  });
  afterAll(() => world.drop());

  it('answers company, product and guidelines of a campaign of the workspace, and nothing else', async () => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value('creator_brief', ctx, { id: campaign._id })).toEqual({
      company: campaign.company,
      product: campaign.product,
      guidelines: campaign.guidelines,
    });
    expect(await world.error('creator_brief', brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
