#!/usr/bin/env node
/**
 * `npm run test:deep`: the suites that draw their cases, each with as many as a night allows. `npm test` draws fewer of
 * the same. A variable that is set already wins.
 */
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';

// Before the arguments are taken apart: another Node starts this program again with them as they were given.
await ensureNode({ floor: [24, 9, 0], progress: createProgress() });

const DEEP = {
  CDS_METER_INPUTS: 100_000,
  CDS_METER_HAMMERS: 100,
  CDS_HAMMER_ROUNDS: 100,
  CDS_POLICY_DRAWS: 10_000,
  CDS_LIST_DRAWS: 100_000,
  CDS_MODEL_RUNS: 5_000,
  CDS_PLAN_ORACLES: 100,
  CDS_SETTLE_ROUNDS: 12,
};
const SUITES = [
  'services/catalog/src/store/meters',
  'services/planning/src/domain/builder',
  'tests/model',
  'tests/system/hammers',
  'tests/system/rolling',
];

for (const [name, count] of Object.entries(DEEP)) process.env[name] ??= String(count);
process.argv.splice(2, process.argv.length, ...SUITES);
await import('./test.js');
