#!/usr/bin/env node
/**
 * `npm run load -- RUN`: load on the system by k6. RUN is smoke, main-job, browse or soak (loadtest/k6/README.md). It
 * starts a system of its own, or uses a running one whose runtime.json is given.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveEngine } from './lib/engines.js';
import { printFailure } from './lib/failure.js';
import { openHome, REPOSITORY } from './lib/home.js';
import { build, ensureDependencies } from './lib/install.js';
import { startMongod } from './lib/mongod.js';
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { ensureNetwork, operator } from './lib/seed.js';
import { startStack } from './lib/stack.js';
import { startMeter } from './load/costs.js';
import { makeFixture } from './load/fixture.js';
import { watchGrowth } from './load/growth.js';
import { parseLoadOptions } from './load/options.js';
import { runtimeAt } from './load/runtime.js';

/**
 * A running system. The processes are known of the own one only.
 * @typedef {{
 *   appUrl: string,
 *   apiUrl: string,
 *   mcpUrl: string,
 *   opsUrl: string,
 *   opsToken: string,
 *   processes?: import('./load/costs.js').Processes,
 *   places?: import('./load/growth.js').Places,
 * }} System
 */

const CREATORS = 2_000;
const RESULTS = join(REPOSITORY, 'loadtest', 'results');
const progress = createProgress();

async function main() {
  const options = parseLoadOptions(process.argv.slice(2));
  await ensureNode({ floor: [22, 12, 0], progress });
  const home = openHome(mkdtempSync(join(realpathSync(tmpdir()), `cds-load-${process.pid}-`)));
  /** @type {(() => Promise<void>)[]} */
  const ends = [async () => rmSync(home.root, { recursive: true, force: true })];
  try {
    await progress.step('Dependencies', ensureDependencies);
    const k6 = await progress.step('k6', engine('k6'));
    const system = options.runtime ? runtimeAt(options.runtime) : await ownSystem(home, ends);
    const fixture = await progress.step('Keys', (say) => makeFixture({ system, brands: options.brands, say }));
    const file = home.at('fixture.json');
    writeFileSync(file, JSON.stringify(fixture));
    const costs = system.processes && process.platform === 'linux' ? startMeter(system.processes) : undefined;
    const growth =
      costs && options.run === 'soak' && system.processes && system.places
        ? watchGrowth(system.processes, system.places, options.seconds)
        : undefined;
    const code = await runK6(k6.binary, file, options);
    if (costs) addCosts(options.run, costs());
    if (growth) addGrowth(options.run, await growth());
    return code;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** @param {import('./lib/engines.js').EngineName} name */
function engine(name) {
  /** @param {import('./lib/progress.js').Say} say */
  return async (say) => {
    const found = await resolveEngine(name, { say, note: progress.note, external: false });
    return { ...found, detail: `${found.version} from ${found.origin}` };
  };
}

/**
 * @param {import('./lib/home.js').Home} home
 * @param {(() => Promise<void>)[]} ends
 * @returns {Promise<System>}
 */
async function ownSystem(home, ends) {
  const mongodEngine = await progress.step('MongoDB', engine('mongod'));
  const nats = await progress.step('NATS', engine('nats'));
  await progress.step('Build', build);
  const mongod = await startMongod({ home, binary: mongodEngine.binary });
  ends.push(async () => void (await mongod.stop()));
  const stack = await progress.step('System', () =>
    startStack({ mongod, natsBinary: nats.binary, home: home.folder('stack') }),
  );
  ends.push(() => stack.stop());
  await progress.step('Network', (say) =>
    ensureNetwork({ ops: operator(stack), wanted: { creators: CREATORS, seed: 1 }, say }),
  );
  const { services, nats: bus } = stack;
  const processes = Object.fromEntries(
    Object.entries(services).map(([name, replicas]) => [name, replicas.flatMap(({ pid }) => pid ?? [])]),
  );
  return {
    ...stack,
    places: { mongodbUri: mongod.uri, prefix: stack.prefix, natsUrl: stack.natsUrl },
    processes: {
      ...processes,
      nats: [bus.pid].flatMap((pid) => pid ?? []),
      mongod: [mongod.pid].flatMap((pid) => pid ?? []),
    },
  };
}

/**
 * @param {string} binary
 * @param {string} fixture
 * @param {import('./load/options.js').LoadOptions} options
 * @returns {Promise<number>}
 */
function runK6(binary, fixture, { run, seconds, rate }) {
  mkdirSync(RESULTS, { recursive: true });
  const script = join(REPOSITORY, 'loadtest', 'k6', 'main.ts');
  // Without its own API, whose port two runs on one machine would both want.
  const flags = ['--no-usage-report', '--address=', ...(process.stdout.isTTY ? [] : ['--quiet'])];
  const child = spawn(binary, ['run', ...flags, script], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CDS_LOAD_FIXTURE: fixture,
      CDS_LOAD_RUN: run,
      CDS_LOAD_SECONDS: String(seconds),
      CDS_LOAD_RATE: String(rate),
      CDS_LOAD_RESULTS: RESULTS,
    },
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(name, () => child.kill(name));
  return new Promise((resolve, reject) =>
    child.once('error', reject).once('close', (code) => {
      progress.note('Results', `loadtest/results/load-${run}.json`);
      resolve(code ?? 1);
    }),
  );
}

/**
 * Adds what the processes used to the results of a run.
 * @param {string} run
 * @param {import('./load/costs.js').Costs} costs
 */
function addCosts(run, costs) {
  const file = join(RESULTS, `load-${run}.json`);
  const results = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...results, costs }, null, 2));
  const requests = results.metrics.http_reqs.values.count;
  const shares = Object.entries(costs.cpu_ms).map(([name, ms]) => `${name} ${(ms / requests).toFixed(2)}`);
  progress.note('CPU', `ms a request: ${shares.join(', ')}`);
}

/**
 * Adds to the results of a run what grew an hour, and shows what grew fastest.
 * @param {string} run
 * @param {readonly import('./load/growth.js').Growth[]} growth
 */
function addGrowth(run, growth) {
  const file = join(RESULTS, `load-${run}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), growth }, null, 2));
  for (const { name, from, to, per_hour } of growth.filter((one) => one.per_hour > 0))
    progress.note('Growth', `${name}: from ${from} to ${to}, ${per_hour} an hour`);
}

main().then(
  (code) => process.exit(code),
  (error) => {
    printFailure(error);
    process.exit(1);
  },
);
