import { describe, expect, test } from '@jest/globals';
import { evenly } from './even-time.js';

/** docs/reliability.md#authentication */
describe('work that ends evenly', () => {
  const timed = async (tookMs: number, fails = false) => {
    let at = 1_234.5;
    const timer = {
      now: () => at,
      wait: async (ms: number) => {
        at += ms;
      },
    };
    const start = at;
    const work = async () => {
      at += tookMs;
      if (fails) throw new Error('no');
      return 'done';
    };
    const result = await evenly(100, work, timer)().catch(({ message }: Error) => message);
    return [result, Math.round(at - start)];
  };

  test.each([
    [0, 0],
    [0.4, 100],
    [15, 100],
    [99, 100],
    [100, 100],
    [101, 200],
    [250, 300],
  ])('of %d ms takes %d ms, whether or not it fails', async (took, takes) => {
    expect(await timed(took)).toEqual(['done', takes]);
    expect(await timed(took, true)).toEqual(['no', takes]);
  });

  test('waits again when its timer ends early', async () => {
    let at = 0;
    const timer = {
      now: () => at,
      wait: async (ms: number) => {
        at += ms / 2;
      },
    };
    const work = async () => {
      at += 1;
    };
    await evenly(100, work, timer)();
    expect(at).toBeGreaterThanOrEqual(100);
  });
});
