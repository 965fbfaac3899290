import { describe, expect, it, jest } from '@jest/globals';
import { type StopStep, stopInSteps } from './stopping.js';

const hang = () => new Promise<never>(() => undefined);

describe('a stop', () => {
  const traced = () => {
    const ran: string[] = [];
    const reported: unknown[] = [];
    const step = (name: string, byMs: number, run: () => Promise<unknown> = async () => undefined): StopStep => ({
      name,
      byMs,
      run: () => {
        ran.push(name);
        return run();
      },
    });
    return { ran, reported, step, log: { warn: (facts: { step: string }) => void reported.push(facts.step) } as never };
  };

  it('goes group after group and waits for each', async () => {
    const { ran, reported, step, log } = traced();
    const ends: (() => void)[] = [];
    const open = () => new Promise<void>((resolve) => void ends.push(resolve));
    const stop = stopInSteps(
      [[step('leave', 60_000)], [step('a', 60_000, open), step('b', 60_000, open)], [step('close', 60_000)]],
      log,
    );
    while (ends.length < 2) await new Promise(setImmediate);
    expect(ran).toEqual(['leave', 'a', 'b']);
    for (const end of ends) end();
    await stop;
    expect([ran, reported]).toEqual([['leave', 'a', 'b', 'close'], []]);
  });

  it.each(['leave', 'handlers', 'app', 'bus', 'database', 'telemetry'])(
    'ends by the time of its last step when %s hangs, and every other step runs',
    async (hanging) => {
      const { ran, reported, step, log } = traced();
      const names = ['leave', 'handlers', 'app', 'bus', 'database', 'telemetry'];
      const steps = names.map((name, at) => [step(name, 20 * (at + 1), name === hanging ? hang : undefined)]);
      const began = performance.now();
      await stopInSteps(steps, log);
      expect(performance.now() - began).toBeLessThan(5_000);
      expect([ran, reported]).toEqual([names, [hanging]]);
    },
  );

  it('is over after the time of its last step, however many hang before it', async () => {
    jest.useFakeTimers();
    try {
      const { ran, step, log } = traced();
      let over = false;
      const steps = [25_000, 26_000, 27_000, 30_000].map((byMs) => [step(`by ${byMs}`, byMs, hang)]);
      const stop = stopInSteps(steps, log).then(() => {
        over = true;
      });
      await jest.advanceTimersByTimeAsync(29_999);
      expect([ran.length, over]).toEqual([4, false]);
      await jest.advanceTimersByTimeAsync(1);
      expect(over).toBe(true);
      await stop;
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends even if all steps hang or fail', async () => {
    for (const run of [hang, () => Promise.reject(new Error('of the test'))]) {
      const { ran, reported, step, log } = traced();
      await stopInSteps([[step('a', 10, run), step('b', 20, run)], [step('c', 30, run)]], log);
      expect([ran, reported]).toEqual([
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ]);
    }
  });
});
