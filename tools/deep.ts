/**
 * `npm run test:deep`: the suites that draw their cases, each with as many as a night allows and from a new seed, which
 * is printed. `npm test` draws fewer, the same in each run. A variable that is set already wins.
 */
const DEEP = {
  CDS_DRAWS_FACTOR: 10,
  CDS_METER_INPUTS: 100_000,
  CDS_METER_HAMMERS: 100,
  CDS_HAMMER_ROUNDS: 100,
  CDS_LIST_DRAWS: 100_000,
  CDS_MODEL_RUNS: 5_000,
  CDS_MODEL_STEPS: 40,
  CDS_PLAN_ORACLES: 100,
  CDS_RACE_ROUNDS: 50,
  CDS_SEED: 'new',
  CDS_SIMULATION_EVERY: 1,
  CDS_SIMULATION_PAYMENTS: 5_000,
  CDS_SIMULATION_RUNS: 20_000,
  CDS_TIMING_SAMPLES: 10_000,
};
const SUITES = [
  'services/billing/src/operations/approve-hammer',
  'services/catalog/src/store/meters',
  'services/gateway/src/accounts/people/timing',
  'services/planning/src/domain/builder',
  'services/planning/src/operations/planning-mandate-try',
  'services/planning/src/operations/order-of-checks',
  'services/planning/src/operations/plan-preflight',
  'tests/model',
  'tests/simulation/simulation',
  'tests/system/hammers',
];

for (const [name, count] of Object.entries(DEEP)) process.env[name] ??= String(count);
process.argv.splice(2, process.argv.length, ...SUITES);
await import('./test.ts');
