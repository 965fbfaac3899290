// @night: a longer run of what `faults` does by day.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { keptStack, type Stack } from '../support/stack.js';
import { type EditFaultReport, runEditFaults } from './edits.js';

/** docs/reliability.md#layers. `CDS_FAULT_SEED` and `CDS_FAULT_KILLS` work as in faults.test.ts. */
const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = setting('CDS_FAULT_SEED', 1);
const kills = setting('CDS_FAULT_KILLS', 5);

describe(`kill -9 of planning while plans are edited, seed ${seed}`, () => {
  let stack: Stack;
  let report: EditFaultReport;

  beforeAll(
    async () => {
      stack = await keptStack('faults');
      report = await runEditFaults(stack, { seed, kills, agents: 6 });
      process.stderr.write(`edits under kills: ${JSON.stringify(report)}\n`);
    },
    300_000 + kills * 10_000,
  );

  it('gives every edit one final answer, and every plan matches the answers to its edits (I01, I02, I11, I24)', () => {
    expect(report.violations).toEqual([]);
  });

  it('killed with edits in flight, and saw both successful and refused edits', () => {
    expect(report.plans).toBeGreaterThan(2);
    expect(report.edits.done).toBeGreaterThan(5);
    expect(report.edits.refused).toBeGreaterThan(0);
    expect(report.interrupted).toBeGreaterThan(0);
  });
});
