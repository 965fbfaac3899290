import { describe, expect, it } from '@jest/globals';
import { brand } from '../test/world.js';
import { planningClockSet } from './planning-clock-set.js';

describe('planning_clock_set', () => {
  it('moves the workspace’s clock and reports the progress of the service', async () => {
    const moved: [string, number][] = [];
    const advanceClock = async (workspace: string, offsetMs: number) => {
      moved.push([workspace, offsetMs]);
      return { handled: 2, facts: 5, behind: false };
    };
    const ctx = brand();
    const { workspace } = ctx.principal;
    expect(await planningClockSet(ctx, { workspace, offset_ms: 60_000 }, { advanceClock })).toEqual({
      handled: 2,
      facts: 5,
      behind: false,
    });
    expect(moved).toEqual([[workspace, 60_000]]);
  });
});
