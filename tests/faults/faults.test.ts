import { writeFileSync } from 'node:fs';
import { SERVICES } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MOVABLE_CLOCKS } from '../support/clocks.js';
import { aReplicaSet, type ReplicaSet } from '../support/replica-set.js';
import { type Stack, startWholeStack } from '../support/stack.js';
import { FAILPOINTS } from './kinds/failpoint.js';
import type { KindName } from './kinds/table.js';
import { type FaultReport, runFaults } from './run.js';
import { System } from './system.js';

/**
 * docs/reliability.md#faults. `npm test` does one kill, killed bus, lost stream, lost consumer and locked document;
 * `npm run test:faults` 200 kills, five deaths at each failpoint, and 20 of each other kind.
 */
const setting = (name: string, otherwise: number): number => Number(process.env[`CDS_FAULT_${name}`] ?? otherwise);
const seed = setting('SEED', 1);
const faults: Record<KindName, number> = {
  kill: setting('KILLS', 1),
  frozenService: setting('FREEZES', 0),
  frozenPrimary: setting('FREEZES', 0),
  stepDown: setting('STEP_DOWNS', 0),
  killedMember: setting('MEMBER_KILLS', 0),
  killedBus: setting('BUS_KILLS', 1),
  cutPrimary: setting('CUTS', 0),
  slowDatabase: setting('SLOWDOWNS', 0),
  skewedClock: setting('SKEWS', 0),
  lostStream: setting('STREAMS', 1),
  lostWindows: setting('WINDOWS', 1),
  lostConsumer: setting('CONSUMERS', 1),
  lockedDocument: setting('LOCKS', 1),
};
/** Faults of the database's primary need others that may lead. */
const needsMembers = ['frozenPrimary', 'stepDown', 'killedMember', 'cutPrimary', 'slowDatabase'] as const;
const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
/** On a cluster, each service runs twice behind one address, and the bus has three servers. */
const onCluster = setting('CLUSTER', 0) > 0;
const CLUSTER = {
  busMembers: 3,
  replicas: Object.fromEntries(SERVICES.map((service) => [service, 2])),
  behindProxy: true,
};
/** A failpoint is armed in one process; among two, the other may do the work. */
const deathsEach = onCluster ? 0 : setting('ROUNDS', 0);
const stopsEach = onCluster ? 0 : setting('STOPS', 0);
const loud = process.env['CDS_FAULT_KILLS'] !== undefined;
const reportFile = process.env['CDS_FAULT_REPORT'];

const say = (text: string): void => {
  if (loud) process.stderr.write(`  ${text}\n`);
};

describe(`faults while agents write, seed ${seed}`, () => {
  let set: ReplicaSet | undefined;
  let stack: Stack;
  let system: System;
  let report: FaultReport;

  beforeAll(
    async () => {
      if (needsMembers.some((kind) => faults[kind] > 0))
        set = await aReplicaSet('faults', { linked: faults.cutPrimary > 0 });
      stack = await startWholeStack({
        creators: 300,
        ...(set && { mongod: set }),
        ...(onCluster && CLUSTER),
        ...(faults.skewedClock > 0 && MOVABLE_CLOCKS),
      });
      system = await System.open(stack, set);
      report = await runFaults(system, { seed, faults, deathsEach, stopsEach, agents: 2 }, say);
      say(JSON.stringify(report, null, 2));
      if (reportFile !== undefined) writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
    },
    600_000 + (total + stopsEach * Object.keys(FAILPOINTS).length) * 30_000,
  );

  afterAll(async () => {
    await system?.close();
    await stack?.stop();
    await set?.stop();
  }, 60_000);

  it('gives each write one final answer and breaks no invariant (I01, I02, I11, I12, I15, I19, I54 to I56)', () => {
    expect(report.violations).toEqual([]);
    expect(report.writes).toBeGreaterThan(total);
    expect(report.approvals).toBeGreaterThan(0);
  });

  it('inflicted every kind of fault, and killed and stopped at every failpoint', () => {
    const inflicted = Object.fromEntries(
      Object.entries(report.faults).map(([kind, hits]) => [kind, Object.values(hits).reduce((sum, n) => sum + n, 0)]),
    );
    expect(inflicted).toEqual(faults);
    const met = { deaths: deathsEach, stops: stopsEach };
    const everyPoint = Object.fromEntries(Object.keys(FAILPOINTS).map((name) => [name, met]));
    expect(report.failpoints).toEqual(everyPoint);
  });
});
