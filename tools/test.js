#!/usr/bin/env node
/**
 * `npm test`: all suites against real engines on free ports, under a Node that Jest works on. Arguments go to Jest: `npm test -- services/billing`.
 * Nothing outlives it, whatever the tests do.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const HOMES = 'cds-test-';
const progress = createProgress();

async function main() {
  await ensureNode({ floor: NODE_FLOOR, progress });
  const temporary = realpathSync(tmpdir());
  await dropAbandoned(temporary);
  const home = openHome(mkdtempSync(join(temporary, `${HOMES}${process.pid}-`)));
  let jest;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => jest?.kill(name) ?? process.exit(1));

  try {
    if (!process.env.CDS_NODE_CHOSEN) progress.note('Node', process.versions.node);
    const engine = (name) => (say) =>
      resolveEngine(name, { say, note: progress.note, external: false }).then((found) => ({
        ...found,
        detail: `${found.version} from ${found.origin}`,
      }));
    const mongodEngine = await progress.step('MongoDB', engine('mongod'));
    const natsEngine = await progress.step('NATS', engine('nats'));
    await progress.step('Dependencies', ensureDependencies);
    await progress.step('Build', build);
    const mongod = await progress.step('mongod', async () => {
      const server = await startMongod({ home, binary: mongodEngine.binary });
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
        ...process.argv.slice(2),
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
          CDS_TEST_MONGOD_BIN: mongodEngine.binary,
          CDS_TEST_NATS_BIN: natsEngine.binary,
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
  if (!report) return '0 passed, 1 failed';
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
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
