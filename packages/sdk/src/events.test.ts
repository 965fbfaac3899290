import { describe, expect, it } from '@jest/globals';
import { aService, type Reply } from '../test/fakes.js';
import { follow } from './events.js';
import { type Answer, type CallOptions, createClient, type EventFeed } from './index.js';

const page = (next: string | null, ...ids: readonly string[]): Reply => ({
  body: { events: ids.map((id) => ({ id })), next },
});

const idsOf = async (feed: EventFeed, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of feed) if (ids.push(id) === count) break;
  return ids;
};

describe('the feed of events', () => {
  it('gives every event once, and waits when there is nothing new and the answer was not held', async () => {
    const { options, seen, waits } = aService([page('c1', 'a', 'b'), page('c1'), page('c2', 'c')]);
    const feed = createClient(options).events.follow({ kind: 'plan.signed', limit: 2 });
    expect(await idsOf(feed, 3)).toEqual(['a', 'b', 'c']);
    expect(waits).toEqual([5_000]);
    expect(seen.map(({ url }) => url.replace('https://cds.example', ''))).toEqual([
      '/api/v1/events?kind=plan.signed&limit=2&wait=20',
      '/api/v1/events?cursor=c1&kind=plan.signed&limit=2&wait=20',
      '/api/v1/events?cursor=c1&kind=plan.signed&limit=2&wait=20',
    ]);
  });

  it('continues after a cursor, and says where to continue', async () => {
    const { options, seen } = aService([page('c9', 'a'), page('c9')]);
    const feed = createClient(options).events.follow({ cursor: 'c8', untilNow: true });
    expect(await idsOf(feed, 9)).toEqual(['a']);
    expect(seen[0]?.url).toContain('cursor=c8');
    expect(feed.cursor).toBe('c9');
  });

  it('keeps its cursor until the whole page was read', async () => {
    const { options } = aService([page('c1', 'a', 'b')]);
    const feed = createClient(options).events.follow();
    expect(await idsOf(feed, 1)).toEqual(['a']);
    expect(feed.cursor).toBeNull();
  });

  it('gives no event twice where the end has no cursor', async () => {
    const { options } = aService([page(null, 'a', 'b'), page(null, 'a', 'b'), page(null, 'a', 'b', 'c')]);
    expect(await idsOf(createClient(options).events.follow(), 3)).toEqual(['a', 'b', 'c']);
  });

  it('asks the service to wait where it can, and then waits no longer itself', async () => {
    const asked: unknown[] = [];
    const waits: number[] = [];
    let now = 0;
    const clock = { now: () => now, sleep: async (ms: number) => void waits.push(ms) };
    const pages = [
      { events: [], next: 'c1' },
      { events: [{ id: 'a' }], next: 'c2' },
    ];
    const load = async (query: Record<string, unknown>, call: CallOptions) => {
      asked.push([query['cursor'], query['wait'], call.timeoutMs]);
      now += 20_000;
      return { value: pages.shift() } as Answer<unknown>;
    };
    expect(await idsOf(follow(load, true, clock, { timeoutMs: 1_000 }), 1)).toEqual(['a']);
    expect(asked).toEqual([
      [undefined, 20, 30_000],
      ['c1', 20, 30_000],
    ]);
    expect(waits).toEqual([]);
  });

  it('knows its place before it waits, so that a lost answer loses no event', async () => {
    const { options, seen, waits } = aService([page('c4'), page('c5', 'a')]);
    const feed = createClient(options).events.follow({ cursor: 'latest' });
    expect(await idsOf(feed, 1)).toEqual(['a']);
    expect(waits).toEqual([]);
    expect(seen.map(({ url }) => url.replace('https://cds.example', ''))).toEqual([
      '/api/v1/events?cursor=latest',
      '/api/v1/events?cursor=c4&wait=20',
    ]);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const { options } = aService([page('c1', 'a'), page('c1')]);
    const feed = createClient(options).events.follow({ signal: stop.signal });
    const read = async () => {
      for await (const _event of feed) stop.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });
});
