/** `npm run load -- RUN`: k6 on the running system (loadtest/k6/README.md). */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf } from './lib/arguments.ts';
import { engineStep } from './lib/engines.ts';
import { Failure, runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { cpuMs } from './lib/process-table.ts';
import { createProgress, type Say } from './lib/progress.ts';
import { type Runtime, runningSystem } from './lib/runtime-file.ts';
import { makeBrand, operator, type SeededWorkspace } from './lib/seed.ts';

/** How long a run lasts, how many requests a second it makes, and its brands, each with six keys to read. */
const RUNS: Record<string, { seconds: number; rate: number; brands: number } | undefined> = {
  smoke: { seconds: 1, rate: 1, brands: 3 },
  'main-job': { seconds: 120, rate: 1, brands: 120 },
  browse: { seconds: 60, rate: 150, brands: 250 },
  soak: { seconds: 3_600, rate: 50, brands: 250 },
};
const USAGES = [`npm run load -- [${Object.keys(RUNS).join(' | ')}] [--seconds N] [--rate N] [--brands N]`];
const READING = ['reader', 'writer', 'muted'];
const AT_ONCE = 4;
const RESULTS = join(REPOSITORY, 'loadtest', 'results');
const progress = createProgress();

function optionsOf() {
  const text = { type: 'string' } as const;
  const { values, positionals } = argumentsOf(
    { allowPositionals: true, options: { seconds: text, rate: text, brands: text } },
    USAGES,
  );
  const [name = 'smoke', ...more] = positionals;
  const run = RUNS[name];
  if (run === undefined || more.length > 0) throw new Failure(`There is no run ${positionals.join(' ')}.`, USAGES);
  const number = (option: 'seconds' | 'rate' | 'brands') => {
    const value = Number(values[option] ?? run[option]);
    if (Number.isInteger(value) && value > 0) return value;
    throw new Failure(`--${option} is ${values[option]}; it must be a whole number above 0.`, USAGES);
  };
  return { run: name, seconds: number('seconds'), rate: number('rate'), brands: number('brands') };
}

async function main() {
  const options = optionsOf();
  const { runtime } = runningSystem();
  const folder = mkdtempSync(join(tmpdir(), 'cds-load-'));
  const fixtureFile = join(folder, 'fixture.json');
  try {
    const k6 = await engineStep(progress, 'k6');
    const fixture = await progress.step('Keys', (say) => makeFixture(runtime, options.brands, say));
    writeFileSync(fixtureFile, JSON.stringify(fixture));
    const before = cpuOf(runtime);
    const code = await runK6(k6.binary, fixtureFile, options);
    const results = JSON.parse(readFileSync(join(RESULTS, `load-${options.run}.json`), 'utf8'));
    const shares = Object.entries(cpuOf(runtime)).map(
      ([name, ms]) => `${name} ${((ms - before[name]) / results.metrics.http_reqs.count).toFixed(2)}`,
    );
    if (shares.length > 0) progress.note('CPU', `ms a request: ${shares.join(', ')}`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const cpuOf = ({ processes: { launcher: _not, ...others } }: Runtime): Record<string, number> =>
  process.platform !== 'linux'
    ? {}
    : Object.fromEntries(
        Object.entries(others).map(([name, pids]) => [
          name,
          [pids].flat().reduce((sum: number, pid) => sum + (pid ? cpuMs(pid) : 0), 0),
        ]),
      );

/** Makes brands with their keys through the operators' API; limits are on, so load needs many of them. */
async function makeFixture(runtime: Runtime, brands: number, say: Say) {
  const ops = operator({ opsUrl: runtime.ops_url, opsToken: runtime.ops_token });
  const prefix = `load-${randomUUID().slice(0, 8)}`;
  const workspaces: SeededWorkspace[] = [];
  for (let made = 0; made < brands; made += AT_ONCE) {
    say(`${made} of ${brands} brands`);
    const some = Array.from({ length: Math.min(AT_ONCE, brands - made) }, (_none, at) => {
      const name = `${prefix}-${made + at}`;
      return makeBrand(ops, { name, audience: 'startup founders and AI builders', sandbox: `${name}-sandbox` });
    });
    workspaces.push(...(await Promise.all(some)).flat());
  }
  const secretsOf = (key: string, of = workspaces) =>
    of.flatMap(({ keys }) => keys.filter(({ name }) => name === key).map(({ secret }) => secret));
  return {
    app_url: runtime.app_url,
    api_url: runtime.api_url,
    mcp_url: runtime.mcp_url,
    // The keys of a workspace are far apart, since its limits count for all of them.
    readers: READING.flatMap((name) => secretsOf(name)),
    agents: secretsOf(
      'full',
      workspaces.filter(({ kind }) => kind === 'sandbox'),
    ),
    detail: `of ${workspaces.length} workspaces`,
  };
}

function runK6(binary: string, fixture: string, { run, seconds, rate }: ReturnType<typeof optionsOf>): Promise<number> {
  mkdirSync(RESULTS, { recursive: true });
  const script = join(REPOSITORY, 'loadtest', 'k6', 'main.ts');
  // Without its own API, whose port two runs on one machine would both want.
  const flags = ['--no-usage-report', '--address=', ...(process.stdout.isTTY ? [] : ['--quiet'])];
  const summary = `--summary-export=${join(RESULTS, `load-${run}.json`)}`;
  const child = spawn(binary, ['run', ...flags, summary, script], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CDS_LOAD_FIXTURE: fixture,
      CDS_LOAD_RUN: run,
      CDS_LOAD_SECONDS: String(seconds),
      CDS_LOAD_RATE: String(rate),
    },
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill(name));
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)));
}

runTool(main);
