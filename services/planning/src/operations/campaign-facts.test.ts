import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { testWorld } from '../test/suite.js';
import { brand } from '../test/world.js';

describe('what other services read of a campaign', () => {
  const world = testWorld('campaign_facts');

  it.each<['campaign_known' | 'campaign_texts' | 'creator_brief', (of: Campaign) => object]>([
    ['campaign_known', ({ _id }) => ({ campaign_id: _id })],
    ['campaign_texts', ({ product, audience, geography }) => ({ product, audience, geography })],
    ['creator_brief', ({ company, product, guidelines }) => ({ company, product, guidelines, launch_post_url: null })],
  ])('is answered by %s for campaigns of the workspace alone, and nothing else', async (operation, answer) => {
    const { ctx, campaign } = await world.planned();
    expect(await world.value(operation, ctx, { id: campaign._id })).toEqual(answer(campaign));
    expect(await world.error(operation, brand(), { id: campaign._id })).toMatchObject({ code: 'not_found' });
  });
});
