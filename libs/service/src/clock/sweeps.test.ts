import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { sweepTime } from './clocks.js';
import { ofNetwork, oneAtATime, Sweeps } from './sweeps.js';

describe('a sweep', () => {
  const EVERY_MS = 5_000;
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('runs again at once while it is handling something for longer than its turn, and else after a pause', async () => {
    const ends: ((handled: number) => void)[] = [];
    const run = () => new Promise<number>((resolve) => void ends.push(resolve));
    const clocks = { recent: async () => sweepTime(new Date(0), new Map()) };
    const sweeps = new Sweeps(
      clocks as never,
      [{ name: 'of the test', everyMs: EVERY_MS, run }],
      pino({ level: 'silent' }),
    );
    /** Ends the newest run after a time, and returns how many have begun `ms` later. */
    const begunAfter = async (tookMs: number, handled: number, ms: number): Promise<number> => {
      await jest.advanceTimersByTimeAsync(tookMs);
      ends.at(-1)?.(handled);
      await jest.advanceTimersByTimeAsync(ms);
      return ends.length;
    };
    sweeps.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(ends).toHaveLength(1);
    expect(await begunAfter(2 * EVERY_MS, 3, 1)).toBe(2);
    expect(await begunAfter(1_000, 3, EVERY_MS - 1_100)).toBe(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(ends).toHaveLength(3);
    expect(await begunAfter(2 * EVERY_MS, 0, EVERY_MS - 100)).toBe(3);
  });
});

it('refuses two sweeps of one name', () => {
  const sweep = ofNetwork('of the test', 1_000, async () => 0);
  const make = () => new Sweeps({} as never, [sweep, { ...sweep }], pino({ level: 'silent' }));
  expect(make).toThrow('two sweeps are called "of the test"');
});

describe('a sweep of the network', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('gets the time of the network, and no clock of a sandbox is read for it', async () => {
    const network = new Date(7_000);
    const clocks = { network: async () => network, recent: () => Promise.reject(new Error('clocks were read')) };
    const seen: Date[] = [];
    const sweep = ofNetwork('of the test', 1_000, async (at) => {
      seen.push(at);
      return 0;
    });
    const sweeps = new Sweeps(clocks as never, [sweep], pino({ level: 'silent' }));
    sweeps.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual([network]);
    await sweeps.stop();
  });
});

describe('work that runs once at a time', () => {
  const counted = () => {
    const runs: { end: () => void; fail: () => void }[] = [];
    const ask = oneAtATime(
      () =>
        new Promise<number>((resolve, reject) => {
          const run = runs.length + 1;
          runs.push({ end: () => resolve(run), fail: () => reject(new Error(`run ${run}`)) });
        }),
    );
    return { runs, ask };
  };
  const turn = () => new Promise(setImmediate);

  it('runs once more, afterwards, for all who ask while it runs', async () => {
    const { runs, ask } = counted();
    const first = ask();
    await turn();
    const others = [ask(), ask(), ask()];
    await turn();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    expect(await first).toBe(1);
    await turn();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
  });

  it('runs again after a run that failed', async () => {
    const { runs, ask } = counted();
    const first = ask();
    await turn();
    const second = ask();
    runs[0]?.fail();
    await expect(first).rejects.toThrow('run 1');
    await turn();
    runs[1]?.end();
    expect(await second).toBe(2);
  });
});
