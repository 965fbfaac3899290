import { describe, expect, it } from '@jest/globals';
import { secondsUntil } from './retry-after.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('how long to wait for a limit (invariants.yaml)', () => {
  it.each([
    ['a whole number of seconds is unchanged', 17_000, 17],
    ['a millisecond more is a second more', 17_001, 18],
    ['a millisecond less is rounded up', 16_999, 17],
    ['less than half a second counts', 16_400, 17],
    ['the last millisecond counts', 1, 1],
    ['a limit that is already open still gives one second', 0, 1],
    ['so does a time in the past', -5_000, 1],
    ['a day', 86_400_000, 86_400],
  ])('%s', (_name, ms, seconds) => {
    expect(secondsUntil(inMs(ms), NOW)).toBe(seconds);
  });

  it('never ends before the limit reopens, and never a whole second after', () => {
    for (let ms = 1; ms <= 61_000; ms += 1) {
      const over = secondsUntil(inMs(ms), NOW) * 1_000 - ms;
      if (over < 0 || over >= 1_000) throw new Error(`${ms} ms gives ${secondsUntil(inMs(ms), NOW)} s`);
    }
  });
});
