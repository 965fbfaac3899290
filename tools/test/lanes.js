/**
 * Lanes: processes that run rooms of suites side by side, each with a mongod and a home of its own. A lane asks the run
 * for its next room when it has ended one.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { openHome, REPOSITORY, readJson } from '../lib/home.js';
import { startMongod } from '../lib/mongod.js';
import { endProcesses, isAlive, MARK, markedProcesses } from '../lib/process-table.js';
import { createProgress } from '../lib/progress.js';
import { testEngines } from './engines.js';
import { resultOf } from './report.js';

/**
 * @typedef {import('./rooms.js').Room} Room
 * @typedef {import('./rooms.js').Lane} Lane
 * @typedef {import('./report.js').RoomResult} RoomResult
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ next: true, ended?: Omit<RoomResult, 'lane'> }} LaneMessage a lane asks for its next room, and says how
 *   the one before has ended
 */

/** How long a Jest may live after its report: it waits for ever when a test left something open. */
const AFTER_REPORT_MS = 3_000;
/** A lane that has no room left stops its mongod and ends; a Node that hangs at its exit is killed. */
const LEAVE_MS = 30_000;
const HOMES = 'cds-test-';
/** Linux's file system in memory: engines that need not outlive a run spend a seventh less of the processor there. */
const MEMORY = '/dev/shm';
/** What a lane's engines may need of it at most, with as much again left for their processes. */
const ROOM_BYTES = 4 * 1024 ** 3;
/** What Jest says of the suites and the report of a room: every path, in one line. */
const WHERE = /^(?:Ran all test suites|Test results written to)/;
const LANE = 'CDS_TEST_LANE';
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether this process is a lane that a run has started. */
export const isLane = () => process.env[LANE] !== undefined;

/**
 * Runs all rooms and answers a result for each; a lane that dies leaves its room as one failure.
 * @param {{ lanes: readonly Lane[], queue: readonly Room[] }} run
 * @returns {Promise<RoomResult[]>}
 */
export async function runLanes({ lanes, queue }) {
  const waiting = queue.filter(({ kind }) => kind !== 'alone');
  /** @param {Lane} lane */
  const takeFor = (lane) => {
    const preferred = waiting.findIndex((room) => room.kind === lane.kind);
    return waiting.splice(Math.max(preferred, 0), 1)[0] ?? null;
  };
  const results = await Promise.all(lanes.map((lane) => resultsOfLane(lane, () => takeFor(lane))));
  waiting.push(...queue.filter(({ kind }) => kind === 'alone'));
  const [first] = lanes;
  if (first !== undefined && waiting.length > 0)
    results.push(await resultsOfLane(first, () => waiting.shift() ?? null));
  // Rooms that no lane lived to take.
  return [...results.flat(), ...waiting.map(() => failure('none'))];
}

/** @param {string} lane */
const failure = (lane) => ({ ...resultOf(1, undefined), lane, ms: 0 });

/**
 * @param {Lane} lane
 * @param {() => Room | null} nextRoom
 * @returns {Promise<RoomResult[]>}
 */
function resultsOfLane({ name, nice, zone }, nextRoom) {
  /** @type {RoomResult[]} */
  const results = [];
  /** @type {Room | null} */
  let room = null;
  const lane = spawn(process.execPath, process.argv.slice(1, 2), {
    cwd: REPOSITORY,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      [LANE]: name,
      TZ: zone,
      ...(process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
    },
  });
  if (nice > 0 && lane.pid !== undefined) setPriority(lane.pid, nice);
  for (const signal of SIGNALS) process.on(signal, () => lane.kill(signal));

  return new Promise((resolve, reject) => {
    lane.on('message', (message) => {
      const said = /** @type {LaneMessage} */ (message);
      if (!('next' in said)) return;
      if (said.ended) results.push({ ...said.ended, lane: name });
      room = nextRoom();
      lane.send({ room });
      if (room === null) setTimeout(() => lane.kill('SIGKILL'), LEAVE_MS).unref();
    });
    lane.once('error', reject).once('close', () => {
      if (room !== null) results.push(failure(name));
      resolve(results);
    });
  });
}

/** The life of a lane's process: engines, then room after room until there is none left. */
export async function runLane() {
  const silent = createProgress(new Writable({ write: (_chunk, _encoding, done) => done() }));
  const folders = [realpathSync(tmpdir()), MEMORY].filter((folder) => existsSync(folder));
  for (const folder of folders) await dropAbandoned(folder);
  const home = openHome(mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : folders[0], `${HOMES}${process.pid}-`)));
  /** @type {ChildProcess | undefined} */
  let jest;
  for (const signal of SIGNALS) process.on(signal, () => jest?.kill(signal) ?? process.exit(1));

  try {
    const engines = await testEngines(silent);
    const mongod = await startMongod({ home, binary: engines.mongod.binary, expires: false });
    const environment = {
      ...process.env,
      [MARK]: home.root,
      NODE_ENV: 'test',
      CDS_TEST_MONGODB_URI: mongod.uri,
      CDS_TEST_MONGOD_BIN: engines.mongod.binary,
      CDS_TEST_NATS_BIN: engines.nats.binary,
      CDS_TEST_HOME: home.folder('stacks'),
    };
    for (let room = await nextRoom(); room !== null; ) {
      const began = Date.now();
      const report = home.at(`jest-${began}.json`);
      jest = startJest(room, report, environment);
      const code = await endOf(jest, report);
      await endSystems(home);
      room = await nextRoom({ ...resultOf(code, reportAt(report)), ms: Date.now() - began });
    }
    await mongod.stop();
    return 0;
  } finally {
    await endProcesses(markedProcesses((from) => isWithin(from, home.root)).map(({ pid }) => pid));
    rmSync(home.root, { recursive: true, force: true });
  }
}

/**
 * Whether a file system in memory has room for a lane, and the machine memory to spare.
 * @param {string} folder
 */
function hasRoom(folder) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) >= 2 * ROOM_BYTES;
}

/**
 * Ends the system that the suites of a room shared, and what they left: an idle one takes a tenth of two cores.
 * @param {import('../lib/home.js').Home} home
 */
async function endSystems(home) {
  const stacks = home.folder('stacks');
  const left = markedProcesses((from) => from === home.root || isWithin(from, stacks));
  await endProcesses(left.filter((one) => one.home !== home.root || isSharedStack(one)).map(({ pid }) => pid));
  for (const name of readdirSync(stacks)) rmSync(join(stacks, name), { recursive: true, force: true });
}

/** @param {import('../lib/process-table.js').Marked} process_ */
const isSharedStack = ({ command }) => command.includes('shared-stack.js');

/**
 * Says how the room before ended, and answers the next one, or null when there is none left.
 * @param {LaneMessage['ended']} [ended]
 * @returns {Promise<Room | null>}
 */
async function nextRoom(ended) {
  const answer = new Promise((resolve) => process.once('message', resolve));
  process.send?.({ next: true, ended });
  return (await answer).room;
}

/**
 * @param {Room} room
 * @param {string} report
 * @param {NodeJS.ProcessEnv} env
 */
function startJest({ args, terminal = false }, report, env) {
  return spawn(
    process.execPath,
    [join('node_modules', 'jest', 'bin', 'jest.js'), ...args, '--json', `--outputFile=${report}`],
    // Two lanes' moving status lines would write over each other: only a run with one lane gets the terminal.
    { cwd: REPOSITORY, stdio: terminal ? 'inherit' : ['ignore', 'ignore', 'pipe'], env },
  );
}

/**
 * Waits for the end of a Jest, and kills one that has written its report and does not end.
 * @param {ChildProcess} jest
 * @param {string} report
 */
async function endOf(jest, report) {
  if (jest.stderr)
    createInterface({ input: jest.stderr }).on('line', (line) => {
      if (!WHERE.test(line)) process.stderr.write(`${line}\n`);
    });
  const watch = setInterval(() => {
    const written = statSync(report, { throwIfNoEntry: false })?.mtimeMs;
    if (!written || Date.now() - written < AFTER_REPORT_MS) return;
    process.stderr.write('Jest does not end: a test left something open. Ending it.\n');
    jest.kill('SIGKILL');
  }, 1_000);
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => jest.once('error', reject).once('close', resolve));
  clearInterval(watch);
  return code ?? (reportAt(report)?.success ? 0 : 1);
}

/**
 * @param {string} file
 * @returns {import('./report.js').JestReport | undefined}
 */
const reportAt = (file) => readJson(file);

/**
 * @param {string} path
 * @param {string} folder
 */
function isWithin(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * Drops what an earlier run left when it was killed itself: its process number is in the name of its folder.
 * @param {string} temporary
 */
async function dropAbandoned(temporary) {
  const folders = readdirSync(temporary)
    .filter((name) => name.startsWith(HOMES) && !isAlive(Number(name.slice(HOMES.length).split('-')[0])))
    .map((name) => join(temporary, name));
  const left = markedProcesses((from) => folders.some((folder) => isWithin(from, folder)));
  await endProcesses(left.map(({ pid }) => pid));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
