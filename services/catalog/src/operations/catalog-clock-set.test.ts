import { describe, expect, it } from '@jest/globals';
import { aRequest } from '../test/network.js';
import { catalogClockSet } from './catalog-clock-set.js';

describe('catalog_clock_set', () => {
  it('answers how many due facts were handled', async () => {
    const seen: unknown[] = [];
    const settle = async (workspace: string, offsetMs: number) => {
      seen.push([workspace, offsetMs]);
      return 3;
    };
    expect(await catalogClockSet(aRequest(), { workspace: 'ws', offset_ms: 60_000 }, { settle })).toEqual({
      handled: 3,
    });
    expect(seen).toEqual([['ws', 60_000]]);
  });
});
