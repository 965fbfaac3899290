import { describe, expect, it } from '@jest/globals';
import { aService, type Reply } from '../test/fakes.js';
import { createClient } from './index.js';

const collected = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const queriesOf = (seen: readonly { url: string }[]): string[] => seen.map(({ url }) => new URL(url).search);

const creators = (offset: number, count: number, total: number): Reply => ({
  body: { total, offset, creators: Array.from({ length: count }, (_one, index) => ({ id: String(offset + index) })) },
});

describe('a list in pages', () => {
  it('by cursor continues until next is null', async () => {
    const { options, seen } = aService([
      { body: { orders: [{ id: '1' }, { id: '2' }], next: 'c1' } },
      { body: { orders: [{ id: '3' }], next: null } },
    ]);
    const orders = await collected(createClient(options).each.ordersList({ limit: 2 }));
    expect(orders.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(queriesOf(seen)).toEqual(['?limit=2', '?limit=2&cursor=c1']);
  });

  it('by cursor ends with an empty page, although a feed has a cursor for what comes later', async () => {
    const { options, seen } = aService([{ body: { orders: [], next: 'c1' } }]);
    expect(await collected(createClient(options).each.ordersList())).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it('by offset continues until everything was read, from where it was asked to begin', async () => {
    const { options, seen } = aService([creators(1, 2, 4), creators(3, 1, 4)]);
    const found = await collected(createClient(options).each.creatorsSearch({ q: 'a', offset: 1, limit: 2 } as never));
    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(queriesOf(seen)).toEqual(['?q=a&offset=1&limit=2', '?q=a&offset=3&limit=2']);
  });

  it('by offset ends with an empty page', async () => {
    const { options, seen } = aService([creators(0, 2, 900), creators(2, 0, 900)]);
    expect(await collected(createClient(options).each.creatorsSearch({ q: 'a' }))).toHaveLength(2);
    expect(seen).toHaveLength(2);
  });

  it('of versions goes back to the first', async () => {
    const { options, seen } = aService([
      { body: { versions: [{ version: 3 }, { version: 2 }] } },
      { body: { versions: [{ version: 1 }] } },
    ]);
    const versions = await collected(createClient(options).each.planHistory({ id: 'p' }));
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(queriesOf(seen)).toEqual(['', '?before=2']);
  });

  it('is read no further than its reader goes', async () => {
    const { options, seen } = aService([{ body: { requests: [{ id: '1' }, { id: '2' }], next: 'c1' } }]);
    for await (const { id } of createClient(options).each.keysUsage()) if (id === '2') break;
    expect(seen).toHaveLength(1);
  });

  it('also comes page by page', async () => {
    const { options } = aService([creators(0, 2, 3), creators(2, 1, 3)]);
    const pages = await collected(createClient(options).each.creatorsSearch({ q: 'a' }).pages());
    expect(pages.map(({ total, creators: items }) => [total, items.length])).toEqual([
      [3, 2],
      [3, 1],
    ]);
  });
});
