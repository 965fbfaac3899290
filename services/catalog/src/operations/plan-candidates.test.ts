import { catalogOperations } from '@cds/contracts';
import type { Encoded } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId, aUnit } from '../test/builders.js';
import { aRequest } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { planCandidates } from './plan-candidates.js';

const BEST = anId(0xb1);
const OTHER = anId(0xb2);
const MANUAL = anId(0xb3);

/** The answer on the wire. */
const read = (answer: unknown) =>
  catalogOperations.plan_candidates.output.parse(JSON.parse(String((answer as Encoded).json)));

describe('plan_candidates', () => {
  const network = testNetwork('candidates');

  const candidates = async (audience: string | null, now?: string) =>
    read(await planCandidates(aRequest(now === undefined ? {} : { now }), { audience }, network));

  beforeAll(async () => {
    await network.take([
      aCreator({ id: OTHER, about: 'gaming', units: [aUnit({ byTeam: true })] }),
      aCreator({
        id: BEST,
        about: 'startup founders',
        units: [aUnit({ usd: 100 }), aUnit({ format: 'quote', usd: 60, asOf: '2026-09-01' })],
      }),
      aCreator({ about: 'startup founders', units: [] }),
      aCreator({ about: 'startup founders', views: [] }),
      aCreator({ about: 'startup founders', status: 'not_reviewed' }),
      aCreator({ id: MANUAL, about: 'startup founders' }),
    ]);
    await network.store.db
      .collection<{ _id: string }>('creators')
      .updateOne({ _id: MANUAL }, { $set: { manual_only: true, network_version: 99 } });
    await network.state.next();
    await network.memory.follow('2026-11-21');
  });

  it('returns the creators that reach the audience, with their buyable units', async () => {
    const { segments, unresolved, candidates: found } = await candidates('startup founders');
    expect([segments.map(({ id }) => id), unresolved]).toEqual([['startup-founders'], false]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ creator_id: BEST, weights: [0.7], views_source: 'network', reach_band: 'micro' });
    expect(found[0]?.match_score).toBeGreaterThan(50);
    expect(found[0]?.units).toMatchObject([{ format: 'post', price_cents: 10_000 }]);
    expect(found[0]?.units[0]?.expected_views).toBeGreaterThan(0);
  });

  it('says whose country is in the campaign’s regions', async () => {
    const inRegions = async (geography: string) => {
      const answer = await planCandidates(aRequest(), { audience: 'startup founders', geography }, network);
      return read(answer).candidates[0]?.in_regions;
    };
    await network.store.db
      .collection('creators')
      .updateOne({ _id: BEST as never }, { $set: { country: 'Germany', network_version: 100 } });
    await network.state.next();
    await network.memory.follow('2026-11-21');
    expect([await inRegions('DACH'), await inRegions('France'), await inRegions('Worldwide')]).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  it('returns everyone by id, unscored, when the audience does not resolve', async () => {
    const { unresolved, candidates: found } = await candidates(null);
    expect(unresolved).toBe(true);
    expect(found.map(({ creator_id, match_score, weights }) => [creator_id, match_score, weights])).toEqual([
      [BEST, null, []],
      [OTHER, null, []],
    ]);
  });

  it('omits a creator last synced more than 30 days ago, even with a valid team price', async () => {
    expect((await candidates('gaming', '2026-12-21T12:00:00.000Z')).candidates).toHaveLength(1);
    expect((await candidates('gaming', '2026-12-21T12:00:00.001Z')).candidates).toEqual([]);
  });
});
