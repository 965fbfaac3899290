#!/usr/bin/env node
/**
 * `npm test`: all suites against real engines on free ports, under a Node that Jest works on. Arguments go to Jest: `npm test -- services/billing`.
 * Without any, two lanes run side by side, each with a mongod of its own: the services' suites, and those that time what
 * they see or run the whole system. Nothing outlives it, whatever the tests do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { resolveEngine } from './lib/engines.js';
import { printFailure } from './lib/failure.js';
import { openHome, REPOSITORY, readJson } from './lib/home.js';
import { build, ensureDependencies } from './lib/install.js';
import { startMongod } from './lib/mongod.js';
import { ensureNode } from './lib/node-runtime.js';
import { endProcesses, isAlive, markedProcesses } from './lib/process-table.js';
import { createProgress } from './lib/progress.js';

const NODE_FLOOR = [24, 9, 0];
const AFTER_REPORT_MS = 20_000;
const LEAVE_MS = 10_000;
const HOMES = 'cds-test-';
const LANE = 'CDS_TEST_LANE';
const SERVICES = `^${REPOSITORY.replaceAll(/[^\w/]/g, '\\$&')}/services/`;
/** The services' lane gives way to the other, whose suites hold deadlines. */
const LANES = [
  { name: 'services', args: ['--testPathPatterns', SERVICES], nice: 5 },
  { name: 'system', args: ['--testPathIgnorePatterns', SERVICES, '/node_modules/'], nice: 0 },
];
const SUMMARY = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
// Within a lane the steps before its tests were told by whoever began it.
const progress = createProgress(
  process.env[LANE] ? new Writable({ write: (_chunk, _encoding, done) => done() }) : undefined,
);

async function main() {
  await ensureNode({ floor: NODE_FLOOR, progress });
  return process.argv.length > 2 ? runJest(process.argv.slice(2)) : runLanes();
}

/** All suites, in lanes. A lane that ends without its sum counts as one failure. */
async function runLanes() {
  await prepare();
  progress.text('\n');
  const lanes = LANES.map(({ name, args, nice }) => {
    const lane = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
      cwd: REPOSITORY,
      // No terminal: two of Jest's moving status lines would write over each other.
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        [LANE]: name,
        ...(process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
      },
    });
    lane.stderr.pipe(process.stderr, { end: false });
    if (nice > 0) setPriority(lane.pid, nice);
    return lane;
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      for (const lane of lanes) lane.kill(name);
    });
  const ends = await Promise.all(lanes.map(endOfLane));
  const sum = (of) => ends.reduce((total, end) => total + of(end), 0);
  return {
    code: ends.every(({ code }) => code === 0) ? 0 : 1,
    line: summaryOf({
      passed: sum((end) => end.passed),
      failed: sum((end) => end.failed),
      skipped: sum((end) => end.skipped),
    }),
  };
}

async function endOfLane(lane) {
  let last = '';
  let leave;
  const lines = createInterface({ input: lane.stdout }).on('line', (line) => {
    last = line || last;
    // The sum is the last it says; a Node that does not end after it is ended.
    if (SUMMARY.test(line)) leave ??= setTimeout(() => lane.kill('SIGKILL'), LEAVE_MS);
  });
  const [code] = await Promise.all([
    new Promise((resolve, reject) => lane.once('error', reject).once('close', resolve)),
    once(lines, 'close'),
  ]);
  clearTimeout(leave);
  const [, passed = 0, failed = 1, skipped = 0] = (SUMMARY.exec(last) ?? []).map((count) => Number(count ?? 0));
  return { code: code ?? (failed === 0 ? 0 : 1), passed, failed, skipped };
}

/** The engines, the packages and the build: what every lane needs, said once. */
async function prepare() {
  if (!process.env.CDS_NODE_CHOSEN) progress.note('Node', process.versions.node);
  const engine = (name) => (say) =>
    resolveEngine(name, { say, note: progress.note, external: false }).then((found) => ({
      ...found,
      detail: `${found.version} from ${found.origin}`,
    }));
  const mongod = await progress.step('MongoDB', engine('mongod'));
  const nats = await progress.step('NATS', engine('nats'));
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  return { mongod, nats };
}

/** One Jest with a mongod and a home of its own. */
async function runJest(args) {
  const temporary = realpathSync(tmpdir());
  await dropAbandoned(temporary);
  const home = openHome(mkdtempSync(join(temporary, `${HOMES}${process.pid}-`)));
  let jest;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => jest?.kill(name) ?? process.exit(1));

  try {
    const engines = await prepare();
    const mongod = await progress.step('mongod', async () => {
      const server = await startMongod({ home, binary: engines.mongod.binary });
      return Object.assign(server, { detail: `127.0.0.1:${server.port}` });
    });
    progress.text('\n');

    const report = home.at('jest.json');
    jest = spawn(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        join('node_modules', 'jest', 'bin', 'jest.js'),
        ...args,
        '--json',
        `--outputFile=${report}`,
      ],
      {
        cwd: REPOSITORY,
        stdio: 'inherit',
        env: {
          ...process.env,
          NODE_ENV: 'test',
          CDS_TEST_MONGODB_URI: mongod.uri,
          CDS_TEST_MONGOD_BIN: engines.mongod.binary,
          CDS_TEST_NATS_BIN: engines.nats.binary,
          CDS_TEST_HOME: home.folder('stacks'),
        },
      },
    );
    const code = await endOf(jest, report);
    await mongod.stop();
    return { code, line: summary(readJson(report)) };
  } finally {
    await endProcesses(markedProcesses((from) => isWithin(from, home.root)).map(({ pid }) => pid));
    rmSync(home.root, { recursive: true, force: true });
  }
}

/** Jest waits for ever when a test left something open; its report is written before that and is what counts. */
async function endOf(jest, report) {
  const watch = setInterval(() => {
    const written = statSync(report, { throwIfNoEntry: false })?.mtimeMs;
    if (!written || Date.now() - written < AFTER_REPORT_MS) return;
    progress.warn('Jest', 'does not end: a test left something open; ending it');
    jest.kill('SIGKILL');
  }, 1000);
  const code = await new Promise((resolve, reject) => jest.once('error', reject).once('close', resolve));
  clearInterval(watch);
  return code ?? (readJson(report)?.success ? 0 : 1);
}

/** A suite that could not run counts as one failure: none of its tests was counted at all. */
function summary(report) {
  if (!report) return summaryOf({ passed: 0, failed: 1, skipped: 0 });
  return summaryOf({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function isWithin(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/** What an earlier run left when it was killed itself: its number is in the name of its folder. */
async function dropAbandoned(temporary) {
  const folders = readdirSync(temporary)
    .filter((name) => name.startsWith(HOMES) && !isAlive(Number(name.slice(HOMES.length).split('-')[0])))
    .map((name) => join(temporary, name));
  const left = markedProcesses((from) => folders.some((folder) => isWithin(from, folder)));
  await endProcesses(left.map(({ pid }) => pid));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

main().then(
  ({ code, line }) => {
    console.log(line);
    process.exit(code);
  },
  (error) => {
    printFailure(error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
