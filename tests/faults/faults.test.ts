import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startWholeStack } from '../stack.js';
import { FAILPOINTS, type FaultReport, runFaults } from './run.js';

/** T3 in small: 20 kills over the six services and each failpoint of the signing saga once (`npm run test:faults`: 200). */
const SEED = Number(process.env['CDS_FAULT_SEED'] ?? 1);

describe(`kill -9 of services while agents write, seed ${SEED}`, () => {
  let stack: Stack;
  let report: FaultReport;

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 300 });
    report = await runFaults(stack, { seed: SEED, kills: 20, perFailpoint: 1, agents: 3 }, () => undefined);
  }, 400_000);

  afterAll(() => stack?.stop());

  it('settles every write with one answer and breaks no invariant (I01, I02, I12, I15, I19, I55, I56)', () => {
    expect(report.violations).toEqual([]);
    expect(report.writes).toBeGreaterThan(20);
    expect(report.approvals).toBeGreaterThan(5);
  });

  it('killed processes, and killed them at every failpoint', () => {
    expect(Object.values(report.kills).reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(new Set(Object.keys(report.failpoints))).toEqual(new Set(Object.keys(FAILPOINTS)));
  });
});
