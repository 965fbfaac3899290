/** Lanes run rooms of suites side by side, each with engines and a home of its own. */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { REPOSITORY, readJson } from '../lib/home.ts';
import { startNats } from '../lib/nats.ts';
import { endMarked, MARK } from '../lib/process-table.ts';
import { openScratch } from '../lib/scratch.ts';
import type { Suite } from './reporter.ts';
import type { Lane } from './rooms.ts';

export type Ended = Suite & { lane: string };

/** The moving status lines of two lanes would write over each other. */
const QUIET: StdioOptions = ['ignore', 'ignore', 'inherit'];

/** Starts the engines of a lane, which then runs one Jest after the other. */
export async function openLane(
  { name, nice, zone }: Lane,
  programs: { mongod: string; nats: string },
  cwd = REPOSITORY,
) {
  // What is started in its home ends with it.
  const { home, mongod, close } = await openScratch(programs.mongod);
  const { rootUrl } = await startNats({ home, binary: programs.nats });
  const report = home.at('report.json');
  const env = {
    ...process.env,
    ...(process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
    [MARK]: home.root,
    TZ: zone,
    NODE_ENV: 'test',
    CDS_TEST_MONGODB_URI: mongod.uri,
    CDS_TEST_MONGOD_BIN: programs.mongod,
    CDS_TEST_NATS_BIN: programs.nats,
    CDS_TEST_NATS_URL: rootUrl,
    CDS_TEST_REPORT: report,
  };
  /** Runs a Jest with these arguments; `room` names it if it dies. */
  const run = async (
    room: string,
    args: readonly string[],
    { stdio = QUIET, limitMs }: { stdio?: StdioOptions; limitMs?: number } = {},
  ): Promise<Ended[]> => {
    const stacks = home.folder('stacks');
    const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
      cwd,
      stdio,
      env: { ...env, CDS_TEST_HOME: stacks },
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    if (nice > 0 && child.pid !== undefined) setPriority(child.pid, nice);
    const [code] = await once(child, 'close');
    // An idle system takes a tenth of two cores.
    await endMarked((from) => from.startsWith(stacks));
    const ended = readJson<Suite[]>(report) ?? [];
    for (const path of [stacks, report]) rmSync(path, { recursive: true, force: true });
    if (code !== 0 && !ended.some(hasFailed))
      ended.push({ file: room, tests: [{ name: 'Jest', status: 'failed', message: `ended with ${code}` }] });
    return ended.map((suite) => ({ ...suite, lane: name }));
  };
  return { name, run, close };
}

export const hasFailed = ({ tests }: Suite) => tests.some(({ status }) => status === 'failed');
