import { describe, expect, it } from '@jest/globals';
import { oneAtATime } from './sweeps.js';

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
