/**
 * Lanes: processes that run rooms of suites side by side, each with a mongod and a home of its own. A lane asks the run
 * for its next room when it has ended one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openHome, REPOSITORY, readJson } from '../lib/home.js';
import { startMongod } from '../lib/mongod.js';
import { endProcesses, isAlive, MARK, markedProcesses } from '../lib/process-table.js';
import { createProgress } from '../lib/progress.js';
import { testEngines } from './engines.js';
import { resultOf } from './report.js';

const AFTER_REPORT_MS = 20_000;
/** A lane that has no room left stops its mongod and ends; a Node that hangs at its exit is ended. */
const LEAVE_MS = 30_000;
const HOMES = 'cds-test-';
const LANE = 'CDS_TEST_LANE';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether this process is a lane that a run has started. */
export const isLane = () => process.env[LANE] !== undefined;

/** Runs all rooms and answers a result for each; a lane that dies leaves its room as one failure. */
export async function runLanes({ lanes, queue }) {
  const waiting = [...queue];
  const takeFor = (kind) => {
    const preferred = waiting.findIndex((room) => room.kind === kind);
    return waiting.splice(preferred < 0 ? 0 : preferred, 1)[0] ?? null;
  };
  const results = await Promise.all(lanes.map((lane) => resultsOfLane(lane, () => takeFor(lane.kind))));
  // Rooms that no lane lived to take.
  return [...results.flat(), ...waiting.map(() => ({ ...resultOf(1, undefined), lane: 'none', ms: 0 }))];
}

function resultsOfLane({ name, nice }, nextRoom) {
  const results = [];
  let room = null;
  const lane = spawn(process.execPath, process.argv.slice(1, 2), {
    cwd: REPOSITORY,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      [LANE]: name,
      ...(process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
    },
  });
  if (nice > 0) setPriority(lane.pid, nice);
  const passOn = (signal) => lane.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);

  return new Promise((resolve, reject) => {
    lane.on('message', (result) => {
      if (result !== 'ready') results.push({ ...result, lane: name });
      room = nextRoom();
      lane.send(room);
      if (room === null) setTimeout(() => lane.kill('SIGKILL'), LEAVE_MS).unref();
    });
    lane.once('error', reject).once('close', () => {
      if (room !== null) results.push({ ...resultOf(1, undefined), lane: name, ms: 0 });
      resolve(results);
    });
  });
}

/** The life of a lane's process: engines, then room after room until there is none left. */
export async function runLane() {
  const silent = createProgress(new Writable({ write: (_chunk, _encoding, done) => done() }));
  const temporary = realpathSync(tmpdir());
  await dropAbandoned(temporary);
  const home = openHome(mkdtempSync(join(temporary, `${HOMES}${process.pid}-`)));
  let jest;
  for (const signal of SIGNALS) process.on(signal, () => jest?.kill(signal) ?? process.exit(1));

  try {
    const engines = await testEngines(silent);
    const mongod = await startMongod({ home, binary: engines.mongod.binary });
    const environment = {
      ...process.env,
      [MARK]: home.root,
      NODE_ENV: 'test',
      CDS_TEST_MONGODB_URI: mongod.uri,
      CDS_TEST_MONGOD_BIN: engines.mongod.binary,
      CDS_TEST_NATS_BIN: engines.nats.binary,
      CDS_TEST_HOME: home.folder('stacks'),
    };
    for await (const room of roomsGiven()) {
      const began = Date.now();
      const report = home.at(`jest-${began}.json`);
      jest = startJest(room, report, environment);
      const code = await endOf(jest, report);
      process.send({ ...resultOf(code, readJson(report)), ms: Date.now() - began });
    }
    await mongod.stop();
    return 0;
  } finally {
    await endProcesses(
      markedProcesses((from) => isWithin(from, home.root))
        .map(({ pid }) => pid)
        .filter((pid) => pid !== process.pid),
    );
    rmSync(home.root, { recursive: true, force: true });
  }
}

/** The rooms that the run gives this lane, each when the one before has ended. */
async function* roomsGiven() {
  process.send('ready');
  for (;;) {
    const room = await new Promise((resolve) => process.once('message', resolve));
    if (room === null) return;
    yield room;
  }
}

function startJest({ args, terminal = false }, report, env) {
  return spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join('node_modules', 'jest', 'bin', 'jest.js'),
      ...args,
      '--json',
      `--outputFile=${report}`,
    ],
    // Two lanes' moving status lines would write over each other: only a run with one lane gets the terminal.
    { cwd: REPOSITORY, stdio: terminal ? 'inherit' : ['ignore', 'ignore', 'pipe'], env },
  );
}

/** Jest waits for ever when a test left something open; its report is written before that and is what counts. */
async function endOf(jest, report) {
  jest.stderr?.pipe(process.stderr, { end: false });
  const watch = setInterval(() => {
    const written = statSync(report, { throwIfNoEntry: false })?.mtimeMs;
    if (!written || Date.now() - written < AFTER_REPORT_MS) return;
    process.stderr.write('Jest does not end: a test left something open. Ending it.\n');
    jest.kill('SIGKILL');
  }, 1_000);
  const code = await new Promise((resolve, reject) => jest.once('error', reject).once('close', resolve));
  clearInterval(watch);
  return code ?? (readJson(report)?.success ? 0 : 1);
}

function isWithin(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Drops what an earlier run left when it was killed itself: its process number is in the name of its folder. */
async function dropAbandoned(temporary) {
  const folders = readdirSync(temporary)
    .filter((name) => name.startsWith(HOMES) && !isAlive(Number(name.slice(HOMES.length).split('-')[0])))
    .map((name) => join(temporary, name));
  const left = markedProcesses((from) => folders.some((folder) => isWithin(from, folder)));
  await endProcesses(left.map(({ pid }) => pid));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
