import { describe, expect, it } from '@jest/globals';
import { aReading } from '../test/builders.js';
import { viewsFell } from './added-reading.js';

/** docs/domain/orders.md#results. */
describe('views', () => {
  it.each<[string, number | null, [hours: number, views: number | null][], boolean]>([
    ['of a first reading', 10, [], false],
    ['that grow', 1_100, [[1, 1_000]], false],
    ['that are 5 % fewer', 950, [[1, 1_000]], false],
    ['that are over 5 % fewer', 949, [[1, 1_000]], true],
    [
      'that are fewer than in the newest reading that has any',
      500,
      [
        [2, 1_000],
        [1, 100],
        [3, null],
      ],
      true,
    ],
    ['that are fewer than in a later reading', 500, [[30, 1_000]], false],
    ['that nobody counted', null, [[1, 1_000]], false],
  ])('%s', (_what, views, earlier, fell) => {
    const before = earlier.map(([hours, count]) => aReading(hours, { views: count }));
    expect(viewsFell(aReading(24, { views }), before)).toBe(fell);
  });
});
