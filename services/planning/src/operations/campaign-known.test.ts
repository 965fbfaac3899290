import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorld, brand, type World } from '../test/world.js';

describe('campaign_known', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('campaign_known');
  });
  afterAll(() => world.drop());

  it('knows only campaigns of the workspace', async () => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value('campaign_known', ctx, { id: campaign._id })).toEqual({ campaign_id: campaign._id });
    expect(await world.error('campaign_known', brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
