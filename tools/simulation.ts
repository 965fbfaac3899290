/**
 * `npm run test:simulation`: the real signing, payment, command, outbox and key code on a simulated database, bus, card
 * rail and clock. First a replica is killed, and paused, at every step of every scenario (`--every N`: every Nth); then
 * come 100,000 random schedules of signing and 20,000 each of payments and of remembered keys (`--runs N`, `--payments
 * N`, `--keys N`, `--seed N`). `--only points`, `schedules`, `payments` or `keys` runs one of the four, `--mutant NAME`
 * takes one guard out. A failure names what replays it and prints every step.
 */
import { execFileSync } from 'node:child_process';
import { argumentsOf } from './lib/arguments.ts';
import { runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { simulatedMutants } from './lib/mutants.ts';
import { replacePackage, runSources, variantOf } from './lib/sources.ts';

export type Failed = { replay: string; violations: string[] };
export type Report = { runs: number; steps: number; simulatedMs: number; failures: Failed[] };

type Explore = (seed: number, runs: number, most: number) => Promise<Report>;
type Replayed = { seed: number; scenario: string | null; kill: number | null; pause: number | null };
type Simulation = {
  strike: (every: number, most: number) => Promise<Report>;
  explore: Explore;
  explorePayments: Explore;
  exploreKeys: Explore;
  replay: (of: Replayed) => Promise<{ trace: string[]; violations: string[] }>;
};

const NIGHTLY = 100_000;
const NIGHTLY_PAYMENTS = 20_000;
const NIGHTLY_KEYS = 20_000;
const SHOWN = 10;
const MAIN = 'tests/simulation/main.ts';
const USAGES = [
  'npm run test:simulation -- [--seed N] [--runs N] [--payments N] [--keys N] [--every N] [--only KIND] [--most N] [--mutant NAME]',
  'npm run test:simulation -- --seed N --scenario NAME [--kill STEP] [--pause STEP] [--trace]',
];

async function main() {
  const text = { type: 'string' } as const;
  const counts = { seed: text, runs: text, payments: text, keys: text, every: text, most: text };
  const names = { scenario: text, kill: text, pause: text, only: text, mutant: text };
  const { values } = argumentsOf({ options: { ...counts, ...names, trace: { type: 'boolean' } } }, USAGES);
  runSources();
  replacePackage('@nats-io/jetstream', 'tests/simulation/bus/jetstream.ts');
  const known = simulatedMutants();
  const mutant = known.find((one) => one.name === values.mutant);
  if (values.mutant !== undefined && mutant === undefined)
    throw new Error(`no mutant ${values.mutant}; there are: ${known.map((one) => one.name).join(', ')}`);
  const simulation: Simulation = await import(variantOf(MAIN, mutant?.name ?? 'plain', mutant?.edits ?? []));

  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  if (values.scenario !== undefined || values.trace) return replay(simulation, values, seed);
  const most = Number(values.most ?? SHOWN);
  const kinds = {
    points: async () => print('points', await simulation.strike(Number(values.every ?? 1), most)),
    schedules: async () =>
      print(`schedules from seed ${seed}`, await simulation.explore(seed, Number(values.runs ?? NIGHTLY), most)),
    payments: async () =>
      print(
        `schedules of payments from seed ${seed}`,
        await simulation.explorePayments(seed, Number(values.payments ?? NIGHTLY_PAYMENTS), most),
      ),
    keys: async () =>
      print(
        `schedules of remembered keys from seed ${seed}`,
        await simulation.exploreKeys(seed, Number(values.keys ?? NIGHTLY_KEYS), most),
      ),
  };
  const reports: Report[] = [];
  for (const [kind, run] of Object.entries(kinds))
    if (values.only === undefined || values.only === kind)
      if (reports.every((report) => report.failures.length < most)) reports.push(await run());
  return reports.every((report) => report.failures.length === 0) ? 0 : 1;

  function print(what: string, report: Report) {
    for (const { replay, violations } of report.failures) {
      console.log(
        `FAILED at ${commit()}: npm run test:simulation -- ${replay}${mutant ? ` --mutant ${mutant.name}` : ''} --trace`,
      );
      for (const violation of violations) console.log(`  ${violation}`);
    }
    const seconds = Math.round(report.simulatedMs / 1_000);
    console.log(
      `${report.runs} ${what}: ${report.steps} steps in ${seconds} s of simulated time, ${report.failures.length} failed`,
    );
    return report;
  }
}

async function replay(
  simulation: Simulation,
  values: { scenario?: string; kill?: string; pause?: string },
  seed: number,
) {
  const point = (value: string | undefined) => (value === undefined ? null : Number(value));
  const { scenario = null, kill, pause } = values;
  const outcome = await simulation.replay({ seed, scenario, kill: point(kill), pause: point(pause) });
  for (const line of outcome.trace) console.log(line);
  for (const violation of outcome.violations) console.log(`VIOLATED ${violation}`);
  return outcome.violations.length === 0 ? 0 : 1;
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: REPOSITORY, encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown commit';
  }
}

runTool(main);
