import { describe, expect, it, jest } from '@jest/globals';
import { storeSuite } from '../testing/suite.js';

/** The unique indexes that readiness asks for (docs/operating.md#migration). */
describe('missing unique indexes', () => {
  const lookedUp: string[] = [];
  const test = storeSuite('missing_indexes', (store) => {
    for (const name of ['first', 'second'])
      store.collection<{ _id: string }>({ name, indexes: [{ key: { a: 1, b: 1 }, unique: true }, { key: { c: 1 } }] });
    store.onCommand(({ commandName, command }) => {
      if (commandName === 'listIndexes') lookedUp.push(String(command['listIndexes']));
    });
    return {};
  });

  it('are named while they are missing, by collection and fields', async () => {
    await test.store.db.command({ dropIndexes: 'second', index: 'a_1_b_1' });
    expect(await test.store.missingIndexes()).toEqual(['second {"a":1,"b":1}']);
    await test.store.migrate();
    expect(await test.store.missingIndexes()).toEqual([]);
  });

  it('are not looked up again at each question once none is missing', async () => {
    lookedUp.length = 0;
    expect(await Promise.all(Array.from({ length: 20 }, () => test.store.missingIndexes()))).toEqual(
      Array(20).fill([]),
    );
    expect(lookedUp).toEqual([]);
  });

  it('are looked up again after a minute, so that one that was dropped since is named', async () => {
    expect(await test.store.missingIndexes()).toEqual([]);
    await test.store.db.command({ dropIndexes: 'first', index: 'a_1_b_1' });
    expect(await test.store.missingIndexes()).toEqual([]);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    try {
      expect(await test.store.missingIndexes()).toEqual(['first {"a":1,"b":1}']);
    } finally {
      clock.mockRestore();
    }
  });
});
