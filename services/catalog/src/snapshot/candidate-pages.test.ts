import { catalogInternal, type Output } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aCreator, anId } from '../test/builders.js';
import { APP_URL, aNetwork, NOW, type TestNetwork } from '../test/network.js';
import { CandidatePages } from './candidate-pages.js';

const IDS = Array.from({ length: 12 }, (_, at) => anId(0x100 + at));
const at = new Date(NOW);

describe('the candidates of a plan in pages (reliability 3.14)', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await aNetwork('candidate_pages');
    await network.take([...IDS].reverse().map((id) => aCreator({ id, about: 'startup founders' })));
  });
  afterAll(() => network.drop());

  const pagesOf = (bytes: number) => new CandidatePages(network.memory, APP_URL, bytes);
  const read = (pages: CandidatePages, page: string | null): Output<'plan_candidates'> =>
    catalogInternal.plan_candidates.output.parse(
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

  it('are one when a message holds them all', () => {
    const page = read(pagesOf(4_000_000), null);
    expect([idsOf(page), page.next]).toEqual([IDS, null]);
  });

  it('hold each candidate once, by id, and no page more than a message but for one large creator', () => {
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
      expect(new Set(all.map(({ edition }) => edition)).size).toBe(1);
    }
  });

  it('go on with the network that they began with, whatever changes meanwhile', async () => {
    const pages = pagesOf(2_000);
    const first = read(pages, null);
    await pause(IDS[10]);
    const all = [first, ...rest(pages, first)];
    expect(all.flatMap(idsOf)).toEqual(IDS);
    expect(new Set(all.map(({ edition }) => edition)).size).toBe(1);
    expect(idsOf(read(pagesOf(4_000_000), null))).toEqual(IDS.filter((id) => id !== IDS[10]));
  });

  it('are forgotten a minute after the last of them was read', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
    });
    const pages = pagesOf(2_000);
    const first = read(pages, null);
    jest.advanceTimersByTime(50_000);
    const second = read(pages, first.next);
    jest.advanceTimersByTime(50_000);
    const third = read(pages, second.next);
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    await pause(IDS[9]);
    expect([second.edition, third.edition]).toEqual([first.edition, first.edition]);
    expect(read(pages, first.next).edition).not.toBe(first.edition);
  });

  it('begin anew, and say so, where the network they began with is not held', async () => {
    const first = read(pagesOf(2_000), null);
    await pause(IDS[0]);
    const replica = pagesOf(2_000);
    const again = read(replica, first.next);
    expect(again.edition).not.toBe(first.edition);
    const all = [again, ...rest(replica, again)];
    expect(all.flatMap(idsOf)).toEqual(IDS.filter((_id, place) => place !== 0 && place !== 9 && place !== 10));
  });

  it('go on at another replica that stands at the same version', () => {
    const first = read(pagesOf(2_000), null);
    const next = read(pagesOf(2_000), first.next);
    expect(next.edition).toBe(first.edition);
    expect(idsOf(next)[0]).toBe([...idsOf(first), ...idsOf(next)].sort()[idsOf(first).length]);
  });
});
