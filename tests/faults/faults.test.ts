import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startWholeStack } from '../stack.js';
import { FAILPOINTS, type FaultReport, runFaults } from './run.js';

/** T3: 20 kills and each failpoint once with every `npm test`; `npm run test:faults` does 200 and five of each. */
const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = setting('CDS_FAULT_SEED', 1);
const kills = setting('CDS_FAULT_KILLS', 20);
const perFailpoint = setting('CDS_FAULT_ROUNDS', 1);
const loud = process.env['CDS_FAULT_KILLS'] !== undefined;

const say = (text: string): void => {
  if (loud) process.stderr.write(`  ${text}\n`);
};

describe(`kill -9 of services while agents write, seed ${seed}`, () => {
  let stack: Stack;
  let report: FaultReport;

  beforeAll(
    async () => {
      stack = await startWholeStack({ creators: 300 });
      report = await runFaults(stack, { seed, kills, perFailpoint, agents: 3 }, say);
      say(JSON.stringify(report, null, 2));
    },
    300_000 + kills * 10_000,
  );

  afterAll(() => stack?.stop());

  it('settles every write with one answer and breaks no invariant (I01, I02, I12, I15, I19, I55, I56)', () => {
    expect(report.violations).toEqual([]);
    expect(report.writes).toBeGreaterThan(kills);
    expect(report.approvals).toBeGreaterThan(5);
  });

  it('killed processes, and killed them at every failpoint', () => {
    expect(Object.values(report.kills).reduce((sum, count) => sum + count, 0)).toBe(kills);
    const everyPoint = Object.fromEntries(Object.keys(FAILPOINTS).map((name) => [name, perFailpoint]));
    expect(report.failpoints).toEqual(everyPoint);
  });
});
