import { describe, expect, it, jest } from '@jest/globals';
import { TimerWheel } from './timer-wheel.js';

/** docs/reliability.md#deadlines. */
describe('the wheel of all deadlines', () => {
  const expiring = () => {
    let expired: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      expired = resolve;
    });
    return { one: { expire: () => expired() }, ended };
  };

  it('expires what waits, and then stops its timer', async () => {
    const wheel = new TimerWheel(5);
    const [first, second] = [expiring(), expiring()];
    const began = performance.now();
    wheel.set(first.one, began + 20);
    wheel.set(second.one, began + 40);
    await Promise.all([first.ended, second.ended]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(40);
    expect(wheel.size).toBe(0);
  });

  it('goes on when a timer was first needed while other timers stood in for the process’s own', async () => {
    const wheel = new TimerWheel(5);
    const { one, ended } = expiring();
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      wheel.set(one, performance.now() + 20);
    } finally {
      jest.useRealTimers();
    }
    await ended;
    expect(wheel.size).toBe(0);
  });
});
