import { catalogOperations, type Output } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId } from '../test/builders.js';
import { APP_URL, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { CandidatePages } from './candidate-pages.js';

const IDS = Array.from({ length: 12 }, (_, at) => anId(0x100 + at));
const at = new Date(NOW);

describe('the candidates of a plan in pages (docs/reliability.md#requests-between-services)', () => {
  const network = testNetwork('candidate_pages');
  beforeAll(async () => {
    await network.take([...IDS].reverse().map((id) => aCreator({ id, about: 'startup founders' })));
  });

  const pagesOf = (bytes: number) => new CandidatePages(network.memory, APP_URL, bytes);
  const read = (pages: CandidatePages, page: string | null): Output<'plan_candidates'> =>
    catalogOperations.plan_candidates.output.parse(
      JSON.parse(
        String(pages.page(at, { segments: [], unresolved: true, audience: null, geography: null, page }).json),
      ),
    );
  const idsOf = ({ candidates }: Output<'plan_candidates'>) => candidates.map(({ creator_id }) => creator_id);
  const rest = (pages: CandidatePages, from: Output<'plan_candidates'>): Output<'plan_candidates'>[] => {
    if (from.next === null) return [];
    const page = read(pages, from.next);
    return [page, ...rest(pages, page)];
  };
  /** Pauses one creator, as an operator does between two pages. */
  const pause = async (id: string | undefined) => {
    await network.store.db
      .collection('creators')
      .updateOne({ _id: id as never }, { $set: { active: false, network_version: await network.state.next() } });
    await network.memory.follow('2026-11-21');
  };

  it('fit on one page if a message holds them all', () => {
    const page = read(pagesOf(4_000_000), null);
    expect([idsOf(page), page.next]).toEqual([IDS, null]);
  });

  it('contain each candidate once, by id, and exceed a message only for one large creator', () => {
    const one = JSON.stringify(read(pagesOf(4_000_000), null).candidates[0]).length;
    for (const [bytes, pageSize] of [
      [1, 1],
      [5 * one + 30, 5],
    ] as const) {
      const pages = pagesOf(bytes);
      const first = read(pages, null);
      const all = [first, ...rest(pages, first)];
      expect(all.flatMap(idsOf)).toEqual(IDS);
      expect(Math.max(...all.map(({ candidates }) => candidates.length))).toBe(pageSize);
    }
  });

  it('are cached in order for a version, and rebuilt for the next', async () => {
    const pages = pagesOf(4_000_000);
    expect(idsOf(read(pages, null))).toEqual(IDS);
    await pause(IDS[10]);
    expect(idsOf(read(pages, null))).toEqual(IDS.filter((id) => id !== IDS[10]));
  });

  it('continue after the last creator, with the network as of then', async () => {
    const pages = pagesOf(2_000);
    const first = read(pages, null);
    await pause(IDS[0]);
    await pause(IDS[11]);
    const all = [first, ...rest(pages, first)];
    expect(all.flatMap(idsOf)).toEqual(IDS.filter((id) => id !== IDS[10] && id !== IDS[11]));
  });
});
