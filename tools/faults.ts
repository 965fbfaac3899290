/**
 * `npm run test:faults`: 200 kill -9, a death five times and a stop twice at each failpoint of the signing saga, and 20
 * times each a frozen process, a frozen primary, a step-down, a killed mongod, a killed nats-server, a primary that is
 * cut off, a slow primary, a clock that is minutes off, a lost stream, lost windows, a lost consumer and a locked
 * document, at random moments on real engines. Then it kills 60 processes while others follow the events of what agents
 * write, and lets Stripe fail in every way five times while orders are paid by card. It prints the seed; `--seed N`
 * replays it, an option per kind changes its count, `--cluster 1` runs it on two of each service and three
 * nats-servers, and `--report FILE` keeps the counts and figures.
 */
import { resolve } from 'node:path';
import { argumentsOf } from './lib/arguments.ts';
import { Failure, printFailure } from './lib/failure.ts';

const COUNTS = {
  seed: Math.floor(Math.random() * 1e9),
  kills: 200,
  rounds: 5,
  stops: 2,
  ...{ freezes: 20, 'step-downs': 20, 'member-kills': 20, 'bus-kills': 20, cuts: 20, slowdowns: 20, skews: 20 },
  ...{ streams: 20, windows: 20, consumers: 20, locks: 20 },
  'feed-kills': 60,
  stripe: 5,
  cluster: 0,
};

/** Hands the options on to the suites by the environment, and returns the suites. */
function setUp() {
  const names = Object.keys(COUNTS);
  const options = Object.fromEntries([...names, 'report'].map((name) => [name, { type: 'string' as const }]));
  const usage = `npm run test:faults -- ${names.map((name) => `[--${name} N]`).join(' ')} [--report FILE]`;
  const { report, ...given } = argumentsOf({ options }, [usage]).values;
  if (report !== undefined) process.env.CDS_FAULT_REPORT = resolve(report);
  const counts: Record<string, number> = { ...COUNTS };
  for (const [name, value] of Object.entries(given)) {
    counts[name] = Number(value);
    if (!/^\d+$/.test(value ?? '')) throw new Failure(`--${name} is ${value}, and no whole number.`, [usage]);
  }
  const all = Object.entries(counts).map(([name, value]) => `--${name} ${value}`);
  console.log(`seed ${counts.seed}: repeat with npm run test:faults -- ${all.join(' ')}`);
  for (const [name, value] of Object.entries(counts))
    process.env[`CDS_FAULT_${name.toUpperCase().replaceAll('-', '_')}`] = String(value);
  // Without kills, followers have nothing to withstand.
  const suites = { faults: 1, feed: counts['feed-kills'], card: counts.stripe };
  return Object.entries(suites).flatMap(([suite, count]) => (count > 0 ? suite : []));
}

try {
  process.argv.splice(2, process.argv.length, `tests/faults/(${setUp().join('|')})\\.test`);
} catch (error) {
  printFailure(error);
  process.exit(2);
}
await import('./test.ts');
