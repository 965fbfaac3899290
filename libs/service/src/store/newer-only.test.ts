import { describe, expect, it } from '@jest/globals';
import { storeSuite } from '../testing/suite.js';
import { allNewerOnly, newerOnly } from './newer-only.js';

type Doc = { _id: string; version: number; name: string };

describe('a projection that keeps only the newer state (I54)', () => {
  const test = storeSuite('newer_only', (store) => ({ rows: store.collection<Doc>({ name: 'projected' }) }));

  const take = (id: string, ...versions: number[]) =>
    versions.reduce<Promise<void>>(
      (before, version) => before.then(() => newerOnly(test.rows, id, { version, name: `v${version}` })),
      Promise.resolve(),
    );

  it.each<[string, number[], number]>([
    ['states in their order', [1, 2, 3], 3],
    ['a late state', [3, 1, 2], 3],
    ['the same state again', [2, 2], 2],
  ])('holds the newest after %s', async (name, versions, newest) => {
    await take(name, ...versions);
    expect(await test.rows.findOne({ _id: name })).toEqual({ _id: name, version: newest, name: `v${newest}` });
  });

  it('holds the newest of each when several arrive together, late ones and known ones among them', async () => {
    const state = (_id: string, version: number): Doc => ({ _id, version, name: `v${version}` });
    await take('known', 5);
    await allNewerOnly(test.rows, [
      state('known', 4),
      state('new', 1),
      state('new', 3),
      state('new', 2),
      state('other', 1),
    ]);
    await allNewerOnly(test.rows, [state('known', 5), state('other', 2)]);
    await allNewerOnly(test.rows, []);
    const found = await test.rows.find({ _id: { $in: ['known', 'new', 'other'] } }, { sort: { _id: 1 } }).toArray();
    expect(found.map(({ _id, version }) => [_id, version])).toEqual([
      ['known', 5],
      ['new', 3],
      ['other', 2],
    ]);
  });

  it('holds the newest state when two replicas insert their first states concurrently', async () => {
    for (let round = 0; round < 50; round += 1) {
      const id = `race ${round}`;
      await Promise.all([1, 4, 2, 3].map((version) => take(id, version)));
      expect((await test.rows.findOne({ _id: id }))?.version).toBe(4);
    }
  });
});
