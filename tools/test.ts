/**
 * `npm test`: suites against real engines on free ports.
 *
 *   npm test                                 what every change must pass, in three lanes
 *   npm run test:night                       the suites that say `@night` in their first lines
 *   npm test -- services/billing             arguments go to Jest, in one lane
 *   npm test -- --changed [REVISION]         of either, the suites that a change since REVISION (HEAD) can affect
 *
 * A suite that fails runs once more, alone, at the end. If it passes then, the run passes and names it as unsteady:
 * fix its cause. `CDS_UNSTEADY=fail` allows no second run, as every night.
 *
 * Random cases are the same in each run. `CDS_SEED=N` draws others, `CDS_SEED=new` takes a seed and prints it.
 */
import { randomInt } from 'node:crypto';
import { ensureBrowser } from './lib/chromium.ts';
import { engineStep } from './lib/engines.ts';
import { printFailure } from './lib/failure.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { createProgress } from './lib/progress.ts';
import { ensurePythonClient } from './lib/python-package.ts';
import { ensureStripeMock } from './lib/stripe.ts';
import { dropAbandoned, openLane } from './test/lanes.ts';
import {
  afterSecondRun,
  failuresOf,
  printEnd,
  type Suite,
  suitesToRepeat,
  summaryOf,
  unsteadyLine,
} from './test/report.ts';
import { changedSince, LANES, type Room, rooms, suitesAffectedBy } from './test/rooms.ts';

const progress = createProgress();
const [when, args] =
  process.argv[2] === '--night'
    ? (['night', process.argv.slice(3)] as const)
    : (['day', process.argv.slice(2)] as const);
const isChosen = args.length > 0 && args[0] !== '--changed';
/** Whether a run holds suites in a folder: every run of everything, and one whose arguments name it. */
const holds = (folder: string) =>
  !isChosen || args.some((arg) => arg.startsWith(folder) || folder.startsWith(arg.replace(/\/+$/, '')));

async function main(): Promise<string> {
  if (process.env.CDS_SEED === 'new') {
    process.env.CDS_SEED = String(randomInt(2 ** 31));
    console.log(`Random cases are drawn from CDS_SEED=${process.env.CDS_SEED}`);
  }
  const queue = args[0] === '--changed' ? suitesAffectedBy(changedSince(args[1] ?? 'HEAD'), when) : rooms(when);
  if (queue.length === 0) return `Nothing that a test covers has changed.\n${summaryOf([])}`;
  const [mongod, nats] = [await engineStep(progress, 'mongod'), await engineStep(progress, 'nats')];
  const programs = { mongod: mongod.binary, nats: nats.binary };
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  if (holds('tests/browser')) {
    await ensureBrowser(progress);
    await ensurePythonClient(progress);
  }
  if (holds('services/billing/src/rails/stripe')) await ensureStripeMock(progress);

  await dropAbandoned();
  const lanes = await Promise.all(LANES.slice(0, isChosen ? 1 : undefined).map((lane) => openLane(lane, programs)));
  const close = () => Promise.all(lanes.map((lane) => lane.close()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void close().finally(() => process.exit(1)));
  try {
    const first = isChosen ? await lanes[0].run({ name: 'chosen', suites: [] }, { args }) : await inLanes(lanes, queue);
    const again: Suite[] = [];
    for (const { file, lane } of process.env.CDS_UNSTEADY === 'fail' ? [] : suitesToRepeat(first)) {
      console.log(`\nOnce more, alone: ${file}`);
      const own = lanes.find(({ name }) => name === lane) ?? lanes[0];
      again.push(...(await own.run({ name: file, suites: [file] })));
    }
    const { suites, unsteady } = afterSecondRun(first, again);
    if (!isChosen) printEnd(suites);
    if (suites.some((suite) => failuresOf(suite).length > 0)) process.exitCode = 1;
    return [...unsteady.map(unsteadyLine), summaryOf(suites)].join('\n');
  } finally {
    await close();
  }
}

/** Runs all rooms side by side, and then those that run alone. */
async function inLanes(lanes: Awaited<ReturnType<typeof openLane>>[], queue: readonly Room[]): Promise<Suite[]> {
  const waiting = queue.filter(({ lane }) => lane !== 'alone');
  const ended: Suite[] = [];
  const work = async (lane: (typeof lanes)[number]) => {
    while (waiting.length > 0) {
      const own = waiting.findIndex((room) => room.lane === lane.name);
      for (const room of waiting.splice(Math.max(own, 0), 1)) ended.push(...(await lane.run(room)));
    }
  };
  await Promise.all(lanes.map(work));
  for (const room of queue.filter(({ lane }) => lane === 'alone')) ended.push(...(await lanes[0].run(room)));
  return ended;
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit()),
  (error) => {
    printFailure(error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
