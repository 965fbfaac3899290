import { describe, expect, it } from '@jest/globals';
import { aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';

/** docs/domain/orders.md#replacement-search. */
describe('replacement_unit', () => {
  const world = testWorld('replacement_unit');

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

  it('may cost what was paid for the line, and not a cent more', async () => {
    const signed = aUnit({ price_cents: 45_000 });
    const { ctx, campaign, plan } = await world.planned({ units: [signed], plan: { status: 'approved' } });
    const costing = async (price_cents: number) => {
      const unit = aUnit({ price_cents });
      world.neighbours.units.set(unit.unit_id, unit);
      const line_id = plan.lines[0]?.id ?? '';
      return { campaign_id: campaign._id, line_id, unit_id: unit.unit_id, exclude: [] };
    };
    const { replacement } = await world.value('replacement_unit', ctx, await costing(45_000));
    expect(replacement.price_cents).toBe(45_000);
    expect(await world.error('replacement_unit', ctx, await costing(45_001))).toMatchObject({
      code: 'unprocessable',
      details: { problems: [{ field: 'unit_id', message: expect.stringContaining('at most the 45000 cents') }] },
    });
  });
});
