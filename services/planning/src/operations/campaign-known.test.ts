import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { brand } from '../test/world.js';

describe('campaign_known', () => {
  const world = testWorld('campaign_known');

  it('knows only campaigns of the workspace', async () => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value('campaign_known', ctx, { id: campaign._id })).toEqual({ campaign_id: campaign._id });
    expect(await world.error('campaign_known', brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
