// @night: two catalogs during an import.
import {
  APP_URL,
  aCreator,
  aNetwork,
  anId,
  aRequest,
  aUnit,
  CandidatePages,
  NetworkMemory,
  NOW,
  planCandidates,
  type TestNetwork,
} from '@cds/catalog/testing';
import type { Candidate } from '@cds/contracts';
import { aCampaign, buildPlan, CurrentUnits, type UnitOverrides } from '@cds/planning/testing';
import type { Ctx, Encoded } from '@cds/service';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

/** Pages of one to three creators each, so that one plan asks for many. */
const PAGE_BYTES = 2_000;
const DAY = NOW.slice(0, 10);
const idOf = (at: number): string => anId(0x100 + at);
const KNOWN = Array.from({ length: 12 }, (_none, at) => idOf(2 * at));

/**
 * Plans are built from the answers of two catalog replicas in turn, each from memory
 * (docs/reliability.md#catalog-memory, docs/reliability.md#requests-between-services).
 */
describe('two replicas of catalog during an import', () => {
  let network: TestNetwork;
  let replicas: { memory: NetworkMemory; candidatePages: CandidatePages }[];

  /** A replica on the same database; it stays at its version until `follow` is called. */
  const aReplica = () => {
    const fence = { follow: async () => undefined, passes: () => true };
    const memory = new NetworkMemory(network.creators, network.state, fence, APP_URL);
    return { memory, candidatePages: new CandidatePages(memory, APP_URL, PAGE_BYTES) };
  };

  beforeEach(async () => {
    network = await aNetwork('replicas');
    await network.take(KNOWN.map((id) => aCreator({ id, about: 'startup founders', units: [aUnit({ usd: 100 })] })));
    replicas = [aReplica(), aReplica()];
    for (const { memory } of replicas) await memory.follow(DAY);
  });
  afterEach(() => network.drop());

  /** Planning's view of catalog: the replicas answer in turn, and `before` runs before each answer. */
  const candidates = async (before: (call: number) => Promise<void>) => {
    let calls = 0;
    const catalog = {
      unit_facts: async () => ({ units: [] }),
      plan_candidates: async (ctx: Ctx, input: Parameters<typeof planCandidates>[1]) => {
        await before(calls);
        const replica = replicas[calls % 2] as (typeof replicas)[number];
        calls += 1;
        const { json } = (await planCandidates(ctx, input, replica)) as Encoded;
        return JSON.parse(String(json));
      },
    };
    const units = new CurrentUnits(catalog, {} as UnitOverrides);
    return { answer: await units.candidates(aRequest(), 'startup founders', 'Worldwide'), calls };
  };
  const idsOf = (of: readonly Candidate[]): string[] => of.map(({ creator_id }) => creator_id);
  const versions = () => replicas.map(({ memory }) => memory.at(new Date(NOW)).version);

  it('return every creator once while one of them is behind', async () => {
    await network.take([aCreator({ id: idOf(1), about: 'startup founders' })]);
    await replicas[0]?.memory.follow(DAY);
    const [ahead, behind] = versions();
    expect(ahead).toBeGreaterThan(behind ?? 0);

    const { answer, calls } = await candidates(async () => undefined);
    expect(calls).toBeGreaterThan(2);
    expect(idsOf(answer.candidates).filter((id) => id !== idOf(1))).toEqual(KNOWN);
  });

  it('build a plan even though each of their answers has another version', async () => {
    const seen = new Set<string>();
    const { answer, calls } = await candidates(async (call) => {
      // A batch is committed before every answer, and the replicas take it in by turns.
      await network.take([aCreator({ id: anId(1 + call), about: 'startup founders' })]);
      await replicas[call % 2]?.memory.follow(DAY);
      seen.add(versions().join());
    });
    expect(seen.size).toBe(calls);
    expect(idsOf(answer.candidates).filter((id) => KNOWN.includes(id))).toEqual(KNOWN);
    expect(new Set(idsOf(answer.candidates)).size).toBe(answer.candidates.length);

    const campaign = { ...aCampaign(), ...answer };
    let id = 0;
    const { plan } = buildPlan(campaign, answer.candidates, {
      mandateCents: 50_000,
      now: new Date(NOW),
      today: DAY,
      newId: () => anId(++id),
    });
    expect(plan?.lines.length).toBeGreaterThan(0);
    expect(plan?.lines.every(({ price_cents }) => price_cents === 10_000)).toBe(true);
  });
});
