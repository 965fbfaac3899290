/**
 * `npm test`: what every change must pass, in three lanes, against real engines on free ports; `--night` runs the
 * suites that say `@night` in their first lines. Arguments go to Jest, in one lane, or after `--changed [REVISION]`
 * choose the suites that a change since then (HEAD) can affect. A suite that fails runs once more, alone, at the end,
 * unless `CDS_UNSTEADY=fail`. `CDS_SEED=N` draws other random cases, `CDS_SEED=new` takes a seed and prints it.
 */
import { randomInt } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { engineStep } from './lib/engines.ts';
import { printFailure } from './lib/failure.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { ensureOutside } from './lib/outside.ts';
import { createProgress } from './lib/progress.ts';
import { dropAbandoned } from './lib/scratch.ts';
import { type Ended, hasFailed, openLane } from './test/lanes.ts';
import { LANES, type Room, rooms, suitesAffectedSince } from './test/rooms.ts';

/** So many suites do not fail by chance: more of them are one defect, and a second run would only take time. */
const MOST_AGAIN = 10;

type OpenLane = Awaited<ReturnType<typeof openLane>>;

const progress = createProgress();
const when = process.argv[2] === '--night' ? 'night' : 'day';
const args = process.argv.slice(when === 'night' ? 3 : 2);
const isChosen = args.length > 0 && args[0] !== '--changed';
/** Whether a run holds suites in a folder: every run of everything, and one whose arguments name it. */
const holds = (folder: string) =>
  !isChosen || args.some((arg) => arg.startsWith(folder) || folder.startsWith(arg.replace(/\/+$/, '')));

async function main(): Promise<string> {
  if (process.env.CDS_SEED === 'new') {
    process.env.CDS_SEED = String(randomInt(2 ** 31));
    console.log(`Random cases are drawn from CDS_SEED=${process.env.CDS_SEED}`);
  }
  const queue = args[0] === '--changed' ? suitesAffectedSince(args[1] ?? 'HEAD', when) : rooms(when);
  if (queue.length === 0) return `Nothing that a test covers has changed.\n${summaryOf([])}`;
  const [mongod, nats] = [await engineStep(progress, 'mongod'), await engineStep(progress, 'nats')];
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  await ensureOutside(progress, holds);

  await dropAbandoned();
  const programs = { mongod: mongod.binary, nats: nats.binary };
  const lanes = await Promise.all(LANES.slice(0, isChosen ? 1 : undefined).map((lane) => openLane(lane, programs)));
  const close = () => Promise.all(lanes.map((lane) => lane.close()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void close().finally(() => process.exit(1)));
  try {
    const suites = isChosen ? await lanes[0].run('jest', args, { stdio: 'inherit' }) : await inLanes(lanes, queue);
    const unsteady = process.env.CDS_UNSTEADY === 'fail' ? [] : await repeated(lanes, suites);
    if (suites.some(hasFailed)) process.exitCode = 1;
    return [...suites.flatMap(failuresOf).map((line) => `Failed: ${line}`), ...unsteady, summaryOf(suites)].join('\n');
  } finally {
    await close();
  }
}

/** Runs all rooms side by side, and then those that run alone. */
async function inLanes(lanes: readonly OpenLane[], queue: readonly Room[]) {
  const waiting = queue.filter(({ lane }) => lane !== 'alone');
  const ended: Ended[] = [];
  const run = async (lane: OpenLane, { name, suites }: Room) =>
    ended.push(...(await lane.run(name, ['--runTestsByPath', ...suites])));
  const work = async (lane: OpenLane) => {
    while (waiting.length > 0) {
      const own = waiting.findIndex((room) => room.lane === lane.name);
      for (const room of waiting.splice(Math.max(own, 0), 1)) await run(lane, room);
    }
  };
  await Promise.all(lanes.map(work));
  for (const room of queue.filter(({ lane }) => lane === 'alone')) await run(lanes[0], room);
  return ended;
}

/** Runs what failed once more, puts what passes in its place, and answers a line for each of these. */
async function repeated(lanes: readonly OpenLane[], suites: Ended[]) {
  const failed = suites.filter((suite) => hasFailed(suite) && suite.file.endsWith('.test.ts'));
  const unsteady: string[] = [];
  for (const suite of failed.length > MOST_AGAIN ? [] : failed) {
    console.log(`\nOnce more, alone: ${suite.file}`);
    // In the lane in which it failed, whose time zone may be the cause.
    const lane = lanes.find(({ name }) => name === suite.lane) ?? lanes[0];
    const again = await lane.run(suite.file, ['--runTestsByPath', suite.file]);
    if (again.some(hasFailed)) continue;
    unsteady.push(`unsteady: ${failuresOf(suite)[0]}`);
    suites.splice(suites.indexOf(suite), 1, ...again);
  }
  return unsteady;
}

/** A line for each failure, with enough of it to know it again. */
const failuresOf = ({ file, tests }: Ended) =>
  tests
    .filter(({ status }) => status === 'failed')
    .map(({ name, message }) => {
      const [text = ''] = stripVTControlCharacters(message).split(/\n\s+at /);
      return `${file}: ${name}: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
    });

function summaryOf(suites: readonly Ended[]) {
  const tests = suites.flatMap((suite) => suite.tests);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const skipped = tests.length - count('passed') - count('failed');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit()),
  (error) => {
    printFailure(error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
