import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalQuantile, seededRandom } from './seeded-random.js';

const key = { seed: 1, campaignNumber: 1, lineNumber: 1, attempt: 1 };

describe('seededRandom', () => {
  it('is the first 53 bits of the hash, which never changes because recorded runs depend on it', () => {
    expect(seededRandom(key, 'answer')).toBe(0.8806339919016297);
    expect(seededRandom({ ...key, attempt: 2 }, 'answer')).toBe(0.9145967742851371);
  });

  it('is in [0, 1), repeats for the same key, and differs for another label', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.string(),
        (seed, campaignNumber, lineNumber, attempt, label) => {
          const one = { seed, campaignNumber, lineNumber, attempt };
          const u = seededRandom(one, label);
          expect(u).toBeGreaterThanOrEqual(0);
          expect(u).toBeLessThan(1);
          expect(seededRandom(one, label)).toBe(u);
          expect(seededRandom(one, `${label}x`)).not.toBe(u);
        },
      ),
    );
  });
});

describe('normalQuantile', () => {
  it.each([
    [0.5, 0],
    [0.84134474606854, 1],
    [0.15865525393146, -1],
    [0.97724986805182, 2],
    [0.99865010196837, 3],
    [0.00134989803163, -3],
  ])('of %d is %d', (p, expected) => {
    expect(normalQuantile(p)).toBeCloseTo(expected, 6);
  });

  it('is finite at both ends', () => {
    expect(Number.isFinite(normalQuantile(0))).toBe(true);
    expect(Number.isFinite(normalQuantile(1))).toBe(true);
  });
});
