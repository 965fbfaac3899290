import { setTimeout as delay } from 'node:timers/promises';
import { Deadline, inTx, type Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SwitchBoard } from './switches.js';

/** The switches of several gateways (docs/domain/operators.md#switches). */
describe('the switches of three gateways', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let boards: SwitchBoard[];
  let finds = 0;

  const put = async (board: SwitchBoard, payments_open: boolean): Promise<void> => {
    const from = await board.stored();
    const at = { changed_at: new Date(0), changed_by: 'a test' };
    const to = { ...from, _id: 'switches' as const, version: (from?.version ?? 0) + 1, payments_open, ...at };
    await inTx(store, Deadline.in(30_000), (tx) => board.set(tx, from, to));
    await board.everywhere();
  };

  beforeAll(async () => {
    ({ store, drop } = await testStore('switches'));
    boards = [1, 2, 3].map(() => new SwitchBoard(store));
    await store.migrate();
    store.onCommand(({ commandName }) => {
      if (commandName === 'find') finds += 1;
    });
  });
  afterAll(() => drop());

  it('have their defaults before the first change', async () => {
    expect(await boards[0]?.current()).toEqual({
      payments_open: true,
      writes_open: true,
      invoice_rail: true,
      deprecated_until: {},
      extensions: false,
    });
  });

  it('are the changed ones for every request that arrives after the change was answered', async () => {
    let running = true;
    // Requests all the while, so that each board has a reading of every age when the switch is set.
    const requests = boards.map(async (board, index) => {
      for (let at = 0; running; at += 1) {
        await board.current();
        await new Promise((resolve) => setTimeout(resolve, (at * 7 + index * 3) % 20));
      }
    });
    for (const open of [false, true, false, true]) {
      await put(boards[0] as SwitchBoard, open);
      for (const board of boards) expect((await board.current()).payments_open).toBe(open);
    }
    running = false;
    await Promise.all(requests);
  });

  it('cost a read or two in a second, however many requests ask', async () => {
    const [board] = boards as [SwitchBoard];
    await board.current();
    finds = 0;
    const began = performance.now();
    const passed = () => performance.now() - began;
    for (let asked = 0; asked < 2_000 || passed() < 200; asked += 100) {
      await Promise.all(Array.from({ length: 100 }, () => board.current()));
      await delay(5);
    }
    // A reading is renewed when it is a quarter of a second old, however long this took.
    expect(finds).toBeLessThanOrEqual(1 + passed() / 250);
  });

  it('are read from the database by everybody who waits, in one statement', async () => {
    const board = new SwitchBoard(store);
    finds = 0;
    await Promise.all(Array.from({ length: 50 }, () => board.current()));
    expect(finds).toBe(1);
  });

  it('change in one version at a time', async () => {
    const [one, other] = boards as [SwitchBoard, SwitchBoard];
    const from = await one.stored();
    const next = { ...from, _id: 'switches' as const, version: (from?.version ?? 0) + 1 };
    await inTx(store, Deadline.in(30_000), (tx) => one.set(tx, from, next));
    await expect(inTx(store, Deadline.in(30_000), (tx) => other.set(tx, from, next))).rejects.toThrow('lost race');
  });
});
