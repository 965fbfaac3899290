import { describe, expect, it } from '@jest/globals';
import { storeSuite } from '../testing/suite.js';
import { upserted } from './upserted.js';

type Doc = { _id: string; ws: string; ids: number[] };

describe('an upsert whose filter has more than the unique key', () => {
  const test = storeSuite('upserted', (store) => ({ rows: store.collection<Doc>({ name: 'held' }) }));

  const add = (id: string, ws: string, number: number) =>
    test.rows.updateOne({ _id: id, ws }, { $addToSet: { ids: number } }, { upsert: true });

  it('keeps the changes of all concurrent first upserts', async () => {
    const numbers = Array.from({ length: 16 }, (_none, at) => at);
    for (let round = 0; round < 50; round += 1) {
      const id = `race ${round}`;
      await Promise.all(numbers.map((number) => upserted(() => add(id, 'one', number))));
      const held = await test.rows.findOne({ _id: id });
      expect(held?.ids.sort((one, other) => one - other)).toEqual(numbers);
    }
  });

  it('fails if another document owns the key, without a third try', async () => {
    await add('owned', 'one', 1);
    let tries = 0;
    const statement = () => {
      tries += 1;
      return add('owned', 'other', 2);
    };
    await expect(upserted(statement)).rejects.toMatchObject({ code: 11_000 });
    expect(tries).toBe(2);
    expect(await test.rows.findOne({ _id: 'owned' })).toEqual({ _id: 'owned', ws: 'one', ids: [1] });
  });

  it('rethrows any other failure at once', async () => {
    let tries = 0;
    const statement = async (): Promise<void> => {
      tries += 1;
      throw new Error('away');
    };
    await expect(upserted(statement)).rejects.toThrow('away');
    expect(tries).toBe(1);
  });
});
