import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aCandidate, aLine, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';

const world = testWorld('replacements');

/** docs/domain/orders.md#replacement-search. */
describe('replacement_candidates', () => {
  it('ranks for each line of a campaign: enough views first, then qualified views, never dearer than paid', async () => {
    const [dear, cheap] = [aUnit({ price_cents: 60_000, expected_views: 30_000 }), aUnit({ price_cents: 20_000 })];
    const [big, middle, small, signed] = [
      aCandidate({ price_cents: 50_000, expected_views: 40_000 }),
      aCandidate({ price_cents: 20_000, expected_views: 19_000, match_score: 20 }),
      aCandidate({ price_cents: 10_000, expected_views: 17_000, match_score: 100 }),
      aCandidate({ creator_id: dear.creator_id }),
    ];
    world.neighbours.candidates = [small, signed, middle, big];
    const lines = [dear, cheap].map((unit) => aLine(unit));
    const { ctx, campaign } = await world.planned({ lines, plan: { status: 'approved' } });
    const search = (of: { exclude?: string[]; own?: string[]; most?: number }) =>
      world.value('replacement_candidates', ctx, {
        campaign_id: campaign._id,
        exclude: of.exclude ?? [],
        lines: [
          ...lines.map(({ id }) => ({ line_id: id, exclude: of.own ?? [] })),
          { line_id: randomUUID(), exclude: [] },
        ],
        most: of.most ?? 3,
      });
    const unitsOf = (...candidates: { units: { unit_id: string }[] }[]) =>
      candidates.map(({ units }) => units[0]?.unit_id);
    const idsOf = ({ lines: found }: Awaited<ReturnType<typeof search>>) => found.map(({ unit_ids }) => unit_ids);

    const found = await search({});
    // 60 % of 30,000 are 18,000; the cheaper line was signed with 18,000 expected views, so 10,800 are enough.
    expect(idsOf(found)).toEqual([unitsOf(big, middle, small), unitsOf(small, middle)]);
    expect(found.lines.map(({ line_id }) => line_id)).toEqual(lines.map(({ id }) => id));
    expect(found.candidates.map(({ creator_id }) => creator_id)).toEqual(
      [big, middle, small].map(({ creator_id }) => creator_id),
    );
    expect(idsOf(await search({ most: 1 }))).toEqual([unitsOf(big), unitsOf(small)]);
    expect(idsOf(await search({ exclude: [big.creator_id], own: [small.creator_id] }))).toEqual([
      unitsOf(middle),
      unitsOf(middle),
    ]);
  });

  it('is not_found for a plan that nobody signed', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    const of = { campaign_id: campaign._id, exclude: [], lines: [], most: 1 };
    expect(await world.error('replacement_candidates', ctx, of)).toMatchObject({ code: 'not_found' });
  });
});

/** docs/domain/orders.md#replacement-search. */
describe('replacement_unit', () => {
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
