import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRandomKey } from '../test/builders.js';
import { deleting, disclosing, metricsAt, posting, postingAt, sandboxPostId } from './persona.js';

const RUNS = 20_000;
const keys = Array.from({ length: RUNS }, (_none, n) => aRandomKey(n));
const HOUR_MS = 3_600_000;
const UNIT = { expected_views: 18_000, engagement_rate: 2 };

/** docs/domain/orders.md#sandbox-creators. */
describe("a sandbox creator's post", () => {
  it.each([
    ['on_time', 0.92],
    ['late', 0.06],
    ['never', 0.02],
  ] as const)('comes %s at a rate of %d', (when, rate) => {
    expect(Math.abs(keys.filter((key) => posting(key) === when).length / RUNS - rate)).toBeLessThan(0.005);
  });

  it('goes live on its date between 09:00 and 21:00 UTC, or one to three days later', () => {
    const daysLate = new Set<number>();
    for (const key of keys.slice(0, 2_000)) {
      const onTime = postingAt(key, '2026-12-01', 'on_time').toISOString();
      expect(onTime >= '2026-12-01T09:00:00.000Z' && onTime < '2026-12-01T21:00:00.000Z').toBe(true);
      const late = postingAt(key, '2026-12-01', 'late').toISOString();
      expect(late.slice(10)).toBe(onTime.slice(10));
      daysLate.add(Number(late.slice(8, 10)) - 1);
    }
    expect([...daysLate].sort()).toEqual([1, 2, 3]);
  });

  it.each([
    ['now', 0.94],
    ['late', 0.05],
    ['never', 0.01],
  ] as const)('is disclosed %s at a rate of %d', (when, rate) => {
    expect(Math.abs(keys.filter((key) => disclosing(key) === when).length / RUNS - rate)).toBeLessThan(0.005);
  });

  it('gains views over time, half of them in the first hours, with the expected views as the median', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 0, max: 800 }),
        (campaign, one, other) => {
          const [early, late] = [Math.min(one, other), Math.max(one, other)].map(
            (hours) => metricsAt(aRandomKey(campaign), hours * HOUR_MS, UNIT).views ?? 0,
          );
          expect(early).toBeLessThanOrEqual(late ?? 0);
        },
      ),
    );
    const ends = keys.map((key) => metricsAt(key, 720 * HOUR_MS, UNIT).views ?? 0).sort((a, b) => a - b);
    const median = ends[RUNS / 2] ?? 0;
    expect(Math.abs(median / 18_000 - 1)).toBeLessThan(0.03);
  });

  it('has engagements at the creator’s rate, or 1.6 percent when it is unknown', () => {
    const measured = metricsAt(aRandomKey(1), 720 * HOUR_MS, UNIT);
    const views = measured.views ?? 0;
    expect(measured).toMatchObject({
      likes: Math.round(views * 0.02 * 0.7),
      shares: Math.round(views * 0.02 * 0.14),
      comments: Math.round(views * 0.02 * 0.1),
      bookmarks: Math.round(views * 0.02 * 0.06),
      clicks: Math.round(views * 0.0042),
    });
    expect(metricsAt(aRandomKey(1), 720 * HOUR_MS, { ...UNIT, engagement_rate: null }).likes).toBe(
      Math.round(views * 0.016 * 0.7),
    );
  });

  it('has an id that holds its milliseconds and differs for each line', () => {
    const at = new Date('2026-12-01T12:34:56.789Z');
    const id = sandboxPostId(at, 'line-1', 1);
    expect(Number(BigInt(id) >> 22n) + 1_288_834_974_657).toBe(at.getTime());
    expect(sandboxPostId(at, 'line-1', 1)).toBe(id);
    expect(sandboxPostId(at, 'line-2', 1)).not.toBe(id);
  });
});

describe('what a sandbox creator does with its post', () => {
  const campaigns = Array.from({ length: 350 }, (_none, n) => n + 1);
  const which = (holds: (n: number) => boolean): number[] => campaigns.filter(holds);

  it('is drawn from the seed as the page says, so every release plays the same', () => {
    expect(which((n) => posting(aRandomKey(n)) === 'late').slice(0, 3)).toEqual([17, 21, 27]);
    expect(which((n) => posting(aRandomKey(n)) === 'never').slice(0, 2)).toEqual([43, 69]);
    expect(which((n) => disclosing(aRandomKey(n)) === 'late').slice(0, 3)).toEqual([6, 17, 29]);
    expect(which((n) => disclosing(aRandomKey(n)) === 'never').slice(0, 2)).toEqual([111, 325]);
    expect(postingAt(aRandomKey(2), '2026-12-01', 'on_time')).toEqual(new Date('2026-12-01T09:14:13.846Z'));
    expect(postingAt(aRandomKey(2), '2026-12-01', 'late')).toEqual(new Date('2026-12-04T09:14:13.846Z'));
  });

  it('is to delete it in few cases, and to put it back within a day in half of these', () => {
    const gone = which((n) => deleting(aRandomKey(n)).gone_after_ms !== null);
    expect(gone.map((n) => [n, deleting(aRandomKey(n))])).toEqual([
      [195, { gone_after_ms: 344_414_735, back_after_ms: 49_324_422 }],
      [245, { gone_after_ms: 153_194_926, back_after_ms: null }],
      [290, { gone_after_ms: 279_840_543, back_after_ms: 43_148_300 }],
      [322, { gone_after_ms: 437_937_579, back_after_ms: null }],
      [343, { gone_after_ms: 113_862_447, back_after_ms: null }],
    ]);
    expect(deleting(aRandomKey(1))).toEqual({ gone_after_ms: null, back_after_ms: null });
  });

  it('gets the counts of an unmeasured creator where nothing is known of it', () => {
    expect(metricsAt(aRandomKey(1), 24 * HOUR_MS, { expected_views: null, engagement_rate: null })).toEqual({
      views: 1_540,
      likes: 17,
      comments: 2,
      shares: 3,
      bookmarks: 1,
      clicks: 6,
      profile_visits: null,
    });
  });
});
