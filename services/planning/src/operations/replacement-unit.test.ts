import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aUnit } from '../test/builders.js';
import { aWorld, type World } from '../test/world.js';

/** docs/domain/orders.md#replacement-search. */
describe('replacement_unit', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('replacement_unit');
  });
  afterAll(() => world.drop());

  it('says of a quote in a launch that it is of the launch post', async () => {
    const [signed, chosen] = [
      aUnit({ format: 'quote' }),
      aUnit({ format: 'quote', deliverable: 'One quote of the post you name, with #ad' }),
    ];
    const { ctx, campaign, plan } = await world.planned({
      units: [signed],
      campaign: { goal: 'launch' },
      plan: { status: 'approved' },
    });
    world.neighbours.units.set(chosen.unit_id, chosen);
    const of = {
      campaign_id: campaign._id,
      line_id: plan.lines[0]?.id ?? '',
      unit_id: chosen.unit_id,
      exclude: [],
    };
    expect(await world.value('replacement_unit', ctx, of)).toMatchObject({
      replacement: { deliverable: 'One quote of your launch post, with #ad' },
    });
  });
});
