import { describe, expect, it } from '@jest/globals';
import { aRequest } from '../test/network.js';
import { catalogClockSet } from './catalog-clock-set.js';

describe('catalog_clock_set', () => {
  it('returns the progress of the service', async () => {
    const seen: unknown[] = [];
    const advanceClock = async (workspace: string, offsetMs: number) => {
      seen.push([workspace, offsetMs]);
      return { handled: 3, facts: 5, behind: false };
    };
    expect(await catalogClockSet(aRequest(), { workspace: 'ws', offset_ms: 60_000 }, { advanceClock })).toEqual({
      handled: 3,
      facts: 5,
      behind: false,
    });
    expect(seen).toEqual([['ws', 60_000]]);
  });
});
