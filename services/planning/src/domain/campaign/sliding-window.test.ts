import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { slidingWindow } from './sliding-window.js';

const HOUR = 3_600_000;
const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (hours: number): Date => new Date(now.getTime() - hours * HOUR);

describe('a sliding window (docs/reliability.md#rolling-limits)', () => {
  it('grants while fewer than the limit are inside the window', () => {
    expect(slidingWindow([ago(1), ago(2)], now, 24 * HOUR, 3).granted).toBe(true);
    expect(slidingWindow([ago(1), ago(2), ago(3)], now, 24 * HOUR, 3)).toMatchObject({
      granted: false,
      resets_at: ago(-21),
    });
  });

  it('drops a start exactly when the window is over', () => {
    expect(slidingWindow([ago(24), ago(1), ago(2)], now, 24 * HOUR, 3).granted).toBe(true);
  });

  it('accepts again at resets_at, and not a moment before (I42)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 24 * HOUR - 1 }), { minLength: 3, maxLength: 3 }), (ages) => {
        const at = ages.map((age) => new Date(now.getTime() - age));
        const refused = slidingWindow(at, now, 24 * HOUR, 3);
        const resets = refused.resets_at ?? now;
        expect(refused.granted).toBe(false);
        expect(slidingWindow(refused.at, resets, 24 * HOUR, 3).granted).toBe(true);
        expect(slidingWindow(refused.at, new Date(resets.getTime() - 1), 24 * HOUR, 3).granted).toBe(false);
      }),
    );
  });
});
