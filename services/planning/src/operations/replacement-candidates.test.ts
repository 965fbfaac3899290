import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aCandidate, aLine, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';

/** docs/domain/orders.md#replacement-search. */
describe('replacement_candidates', () => {
  const world = testWorld('replacement_candidates');

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
