import { randomUUID } from 'node:crypto';
import { Clocks, DueFacts } from '@cds/service';
import { aCtx, testStore } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { metricsClockSet } from './metrics-clock-set.js';

describe('metrics_clock_set', () => {
  it('counts what was handled, and what arrived from others meanwhile once', async () => {
    const { store, drop } = await testStore('metrics_clock');
    const nothing = { sandboxesDue: async () => [], handleSandbox: async () => 0, handleLive: async () => 0 };
    const due = new DueFacts(new Clocks(store), nothing, pino({ level: 'silent' }));
    const workspace = randomUUID();
    const set = (handled: number) =>
      metricsClockSet(aCtx(), { workspace, offset_ms: 1_000 }, { settle: async () => handled, due });

    expect(await set(3)).toEqual({ handled: 3 });
    await due.applied(workspace);
    await due.applied(randomUUID());
    expect(await set(0)).toEqual({ handled: 1 });
    expect(await set(0)).toEqual({ handled: 0 });
    await drop();
  });
});
