import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testStore } from '../testing/store.js';
import type { Store } from './store.js';

/** The unique indexes that readiness asks for (docs/operating.md#migration). */
describe('missing unique indexes', () => {
  let store: Store;
  let drop: () => Promise<void>;
  const lookedUp: string[] = [];

  beforeAll(async () => {
    ({ store, drop } = await testStore('missing_indexes'));
    for (const name of ['first', 'second'])
      store.collection<{ _id: string }>({ name, indexes: [{ key: { a: 1, b: 1 }, unique: true }, { key: { c: 1 } }] });
    store.onCommand(({ commandName, command }) => {
      if (commandName === 'listIndexes') lookedUp.push(String(command['listIndexes']));
    });
    await store.migrate();
  });
  afterAll(() => drop());

  it('are named while they are missing, by collection and fields', async () => {
    await store.db.command({ dropIndexes: 'second', index: 'a_1_b_1' });
    expect(await store.missingIndexes()).toEqual(['second {"a":1,"b":1}']);
    await store.migrate();
    expect(await store.missingIndexes()).toEqual([]);
  });

  it('are not looked up again at each question once none is missing', async () => {
    lookedUp.length = 0;
    expect(await Promise.all(Array.from({ length: 20 }, () => store.missingIndexes()))).toEqual(Array(20).fill([]));
    expect(lookedUp).toEqual([]);
  });

  it('are looked up again after a minute, so that one that was dropped since is named', async () => {
    expect(await store.missingIndexes()).toEqual([]);
    await store.db.command({ dropIndexes: 'first', index: 'a_1_b_1' });
    expect(await store.missingIndexes()).toEqual([]);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    try {
      expect(await store.missingIndexes()).toEqual(['first {"a":1,"b":1}']);
    } finally {
      clock.mockRestore();
    }
  });
});
