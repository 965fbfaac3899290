/** Lanes run rooms of suites side by side, each with a mongod and a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openHome, REPOSITORY, readJson } from '../lib/home.ts';
import { startMongod } from '../lib/mongod.ts';
import { startNats } from '../lib/nats.ts';
import { endProcesses, isAlive, MARK, markedProcesses } from '../lib/process-table.ts';
import { type JestReport, type Suite, suitesOf } from './report.ts';
import type { Lane, Room } from './rooms.ts';

/** How long a Jest may live after its report: it waits for ever when a test left something open. */
const AFTER_REPORT_MS = 3_000;
const HOMES = 'cds-test-';
/** Linux's file system in memory: engines that need not outlive a run spend a seventh less of the processor there. */
const MEMORY = '/dev/shm';
/** What a lane needs of it at most, with as much again left for its processes. */
const LANE_BYTES = 8 * 1024 ** 3;
/** What Jest says of the suites and the report of a room: every path, in one line. */
const WHERE = /^(?:Ran all test suites|Test results written to)/;

/** Starts the engines of a lane, which then runs one room after the other. */
export async function openLane(
  { name, nice, zone }: Lane,
  programs: { mongod: string; nats: string },
  cwd = REPOSITORY,
) {
  const folder = hasRoom() ? MEMORY : realpathSync(tmpdir());
  const home = openHome(mkdtempSync(join(folder, `${HOMES}${process.pid}-`)));
  const [mongod, nats] = await Promise.all([
    startMongod({ home, binary: programs.mongod, expires: false }),
    startNats({ home, binary: programs.nats }),
  ]);
  const env = {
    ...process.env,
    ...(process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
    [MARK]: home.root,
    TZ: zone,
    NODE_ENV: 'test',
    CDS_TEST_MONGODB_URI: mongod.uri,
    CDS_TEST_MONGOD_BIN: programs.mongod,
    CDS_TEST_NATS_BIN: programs.nats,
    CDS_TEST_NATS_URL: nats.rootUrl,
  };
  let count = 0;
  return {
    name,
    /** Runs suites by their paths, or a Jest with arguments, which gets the terminal unless it has a limit. */
    async run(
      { name: room, suites }: Pick<Room, 'name' | 'suites'>,
      { args, limitMs }: { args?: readonly string[]; limitMs?: number } = {},
    ): Promise<Suite[]> {
      count += 1;
      const report = home.at(`jest-${count}.json`);
      const asked = [...(args ?? ['--runTestsByPath', ...suites]), '--json', `--outputFile=${report}`];
      const jest = spawn(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...asked], {
        cwd,
        // The moving status lines of two lanes would write over each other.
        stdio: args && !limitMs ? 'inherit' : ['ignore', 'ignore', 'pipe'],
        env: { ...env, CDS_TEST_HOME: home.folder(`stacks-${count}`) },
      });
      if (nice > 0 && jest.pid !== undefined) setPriority(jest.pid, nice);
      const limit = limitMs && setTimeout(() => jest.kill('SIGKILL'), limitMs);
      const code = await endOf(jest, report);
      clearTimeout(limit);
      // An idle system takes a tenth of two cores.
      await endMarked((from) => from.startsWith(home.at(`stacks-${count}`)));
      rmSync(home.at(`stacks-${count}`), { recursive: true, force: true });
      return suitesOf(code, readJson<JestReport>(report), room, name);
    },
    async close() {
      await Promise.all([mongod.stop(), nats.stop()]);
      await endMarked((from) => from.startsWith(home.root));
      rmSync(home.root, { recursive: true, force: true });
    },
  };
}

function hasRoom() {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  return Math.min(bavail * bsize, freemem()) >= LANE_BYTES;
}

const endMarked = async (matches: (home: string) => boolean) =>
  endProcesses(markedProcesses(matches).map(({ pid }) => pid));

/** Waits for the end of a Jest, and kills one that has written its report and does not end. */
async function endOf(jest: ChildProcess, report: string): Promise<number> {
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
  const code = await new Promise<number | null>((resolve, reject) =>
    jest.once('error', reject).once('close', (ended) => resolve(ended)),
  );
  clearInterval(watch);
  return code ?? (readJson<JestReport>(report)?.success ? 0 : 1);
}

/** Drops what an earlier run left when it was killed itself: its process number is in the name of its folder. */
export async function dropAbandoned() {
  for (const place of [realpathSync(tmpdir()), MEMORY].filter((folder) => existsSync(folder))) {
    const folders = readdirSync(place)
      .filter((name) => name.startsWith(HOMES) && !isAlive(Number(name.slice(HOMES.length).split('-')[0])))
      .map((name) => join(place, name));
    await endMarked((from) => folders.some((folder) => from.startsWith(folder)));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
