import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { deliver } from '../testing/deliver.js';
import { storeSuite } from '../testing/suite.js';
import { clockSet } from './clock-set.js';
import { Clocks } from './clocks.js';

const AT = new Date('2026-11-22T00:00:00Z');

/** docs/reliability.md#clocks */
describe('the clock.set consumer of a service', () => {
  const test = storeSuite('clock_set', (store) => ({ clocks: new Clocks(store) }));

  const moved = (workspace: string, offsetMs: number): EventPayload<'clock.set'> => ({
    aggregate: workspace,
    version: offsetMs,
    workspace,
    offset_ms: offsetMs,
    at: AT.toISOString(),
  });
  const offsetOf = async (workspace: string): Promise<number> => {
    const time = await test.clocks.read([workspace]);
    return time.of(workspace).getTime() - time.network.getTime();
  };

  it('moves the sandbox clock forward, and never back when events come late', async () => {
    const consumer = clockSet(test.clocks);
    const workspace = randomUUID();
    for (const offset of [1_000, 5_000, 2_000]) {
      await deliver(test.store, consumer, moved(workspace, offset), AT);
    }
    expect(await offsetOf(workspace)).toBe(5_000);
    expect(await offsetOf(randomUUID())).toBe(0);
    const other = await test.clocks.read([randomUUID()]);
    expect(() => other.of(workspace)).toThrow(`the clock of workspace ${workspace} was not read`);
  });

  it('handles what became due in that sandbox, in a service with due facts only', async () => {
    const handled: string[] = [];
    const due = { applied: async (workspaces: readonly string[]) => void handled.push(...workspaces) };
    const workspace = randomUUID();
    await clockSet(test.clocks, due).applied?.([moved(workspace, 1_000)]);
    expect(handled).toEqual([workspace]);
    expect(clockSet(test.clocks).applied).toBeUndefined();
  });
});
