import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { type SweepTime, sweepTime } from './clocks.js';
import { DueFacts } from './due-facts.js';

const TIME = sweepTime(new Date('2026-11-21T12:00:00Z'), new Map());

/** docs/reliability.md#due-facts. */
describe('due facts', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Runs over sandboxes that end when the test says so. */
  const world = (due: readonly string[] = []) => {
    const begun: string[] = [];
    const ends = new Map<string, { end: () => void; fail: () => void }>();
    const warned: unknown[] = [];
    const read = async (): Promise<SweepTime> => TIME;
    const facts = new DueFacts(
      { read },
      {
        sandboxesDue: async () => due.map((ws) => ({ ws, due_at: TIME.network })),
        handleSandbox: (ws) => {
          begun.push(ws);
          return new Promise((resolve, reject) =>
            ends.set(ws, { end: () => resolve(1), fail: () => reject(new Error('planted')) }),
          );
        },
        handleLive: async () => 0,
      },
      { ...pino({ level: 'silent' }), warn: (of: unknown) => void warned.push(of) },
    );
    const [sandboxes] = facts.sweeps();
    return { facts, begun, ends, warned, sweep: (only: string | null) => sandboxes?.run(TIME, only) };
  };
  const stateOf = async (work: Promise<unknown> | undefined): Promise<string> => {
    let state = 'waits';
    void work?.then(() => {
      state = 'done';
    });
    await jest.advanceTimersByTimeAsync(0);
    return state;
  };

  it('of one sandbox do not hold up those of another', async () => {
    const { facts, begun, ends } = world();
    const [long, short] = [facts.applied(['long']), facts.applied(['short'])];
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['long', 'short']);
    ends.get('short')?.end();
    expect([await stateOf(long), await stateOf(short)]).toEqual(['waits', 'done']);
  });

  it('of a sandbox that waits for a place are handled by its own advance, and by the sweep', async () => {
    for (const only of ['short', null]) {
      const { facts, begun, sweep } = world(['short']);
      void facts.applied(Array.from({ length: 16 }, (_none, at) => `long ${at}`));
      await jest.advanceTimersByTimeAsync(0);
      void facts.applied(['short']);
      await jest.advanceTimersByTimeAsync(1_000);
      void sweep(only);
      await jest.advanceTimersByTimeAsync(0);
      expect(begun).toContain('short');
    }
  });

  it('hold up the events that caused them for a second, and go on', async () => {
    const { facts, ends, begun, warned } = world();
    const applied = facts.applied(['long']);
    await jest.advanceTimersByTimeAsync(999);
    expect(await stateOf(applied)).toBe('waits');
    await jest.advanceTimersByTimeAsync(1);
    expect(await stateOf(applied)).toBe('done');
    ends.get('long')?.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(warned).toMatchObject([{ workspace: 'long', err: { message: 'planted' } }]);
    void facts.applied(['long']);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['long', 'long']);
  });

  it('of one sandbox are handled by one run after the other, and one run is for all events of meanwhile', async () => {
    const { facts, begun, ends, sweep } = world();
    void facts.applied(['one']);
    await jest.advanceTimersByTimeAsync(0);
    const [second, third, asked] = [facts.applied(['one']), facts.applied(['one', 'one']), sweep('one')];
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['one']);
    ends.get('one')?.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['one', 'one']);
    ends.get('one')?.end();
    expect([await stateOf(second), await stateOf(third), await stateOf(asked)]).toEqual(['done', 'done', 'waits']);
    expect(begun).toEqual(['one', 'one', 'one']);
    ends.get('one')?.end();
    expect(await asked).toBe(1);
  });

  it('of 10,000 sandboxes are handled by 16 runs at a time, each sandbox once and in its order', async () => {
    const { facts, begun, ends } = world();
    const all = Array.from({ length: 10_000 }, (_none, at) => `sandbox ${at}`);
    const applied = facts.applied(all);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(all.slice(0, 16));
    // Whoever comes meanwhile shares the run that has not begun.
    void facts.applied(all.slice(16));
    expect(await stateOf(applied)).toBe('waits');

    let most = 0;
    for (let ended = 0; ended < begun.length; ) {
      const running = begun.slice(ended);
      most = Math.max(most, running.length);
      ended += running.length;
      for (const sandbox of running) ends.get(sandbox)?.end();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(most).toBe(16);
    expect(begun).toEqual(all);
    expect(await stateOf(applied)).toBe('done');
  });

  it('leave their place to the next sandbox also when they fail', async () => {
    const { facts, begun, ends } = world();
    const all = Array.from({ length: 17 }, (_none, at) => `sandbox ${at}`);
    void facts.applied(all);
    await jest.advanceTimersByTimeAsync(0);
    ends.get('sandbox 3')?.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(all);
  });

  it('are left alone by a sweep where a run is at work, and handled elsewhere', async () => {
    const { facts, begun, ends, sweep } = world(['busy', 'free']);
    void facts.applied(['busy']);
    await jest.advanceTimersByTimeAsync(0);
    const swept = sweep(null);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['busy', 'free']);
    ends.get('free')?.end();
    expect(await swept).toBe(1);
    ends.get('busy')?.end();
    await jest.advanceTimersByTimeAsync(0);
    void sweep(null);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['busy', 'free', 'busy']);
  });
});
