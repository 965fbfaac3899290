#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { printFailure } from './lib/failure.js';
/**
 * `npm test`: suites against real engines on free ports, under a Node that Jest works on.
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
 *
 * Nothing outlives it, whatever the tests do.
 */
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { changedSince, suitesAffectedBy } from './test/changed.js';
import { ensureBrowser, needsBrowser } from './test/chromium.js';
import { prepare } from './test/engines.js';
import { isLane, runLane, runLanes } from './test/lanes.js';
import { ensurePythonClient } from './test/python-client.js';
import { printFailures, printSlowest, summaryOf } from './test/report.js';
import { LANES, roomOf, rooms } from './test/rooms.js';
import { afterSecondRun, printUnsteady, suitesToRepeat } from './test/second-run.js';
import { ensureStripeMock, needsStripeMock } from './test/stripe-mock.js';

const NODE_FLOOR = [24, 9, 0];
const progress = createProgress();

async function main() {
  await ensureNode({ floor: NODE_FLOOR, progress });
  if (isLane()) return runLane();

  if (process.env.CDS_SEED === 'new') {
    process.env.CDS_SEED = String(randomInt(2 ** 31));
    console.log(`Random cases are drawn from CDS_SEED=${process.env.CDS_SEED}`);
  }
  const { queue, chosen } = chosenBy(process.argv.slice(2));
  if (queue.length === 0) {
    console.log('Nothing that a test covers has changed.');
    console.log(summaryOf([]));
    return 0;
  }
  await prepare(progress);
  if (needsBrowser(chosen)) {
    await ensureBrowser(progress);
    await ensurePythonClient(progress);
  }
  if (needsStripeMock(chosen)) await ensureStripeMock(progress);
  progress.text('\n');
  const first = await runLanes({ lanes: chosen.length > 0 ? LANES.slice(0, 1) : LANES, queue });
  const { ends, unsteady } = afterSecondRun(first, await repeatFailed(first));
  if (queue.length > 1) {
    printSlowest(ends);
    printFailures(ends);
  }
  printUnsteady(unsteady);
  console.log(summaryOf(ends));
  return ends.every(({ code }) => code === 0) ? 0 : 1;
}

/**
 * Runs the suites that failed once more, each alone.
 * @param {readonly import('./test/report.js').RoomResult[]} first
 */
async function repeatFailed(first) {
  const suites = process.env.CDS_UNSTEADY === 'fail' ? [] : suitesToRepeat(first);
  if (suites.length > 0) console.log(`\nOnce more, alone: ${suites.map(({ file }) => file).join(', ')}`);
  const again = [];
  for (const lane of LANES) {
    const queue = suites.filter((suite) => suite.lane === lane.name).map(({ file }) => roomOf(file));
    if (queue.length > 0) again.push(...(await runLanes({ lanes: [lane], queue })));
  }
  return again;
}

/**
 * The rooms of a run, and the arguments that choose suites: none for a whole run.
 * @param {string[]} args
 * @returns {{ queue: import('./test/rooms.js').Room[], chosen: string[] }}
 */
function chosenBy(args) {
  /** @type {[import('./test/rooms.js').When, string[]]} */
  const [when, rest] = args[0] === '--night' ? ['night', args.slice(1)] : ['day', args];
  if (rest.length === 0) return { queue: rooms(when), chosen: [] };
  if (rest[0] === '--changed') return { queue: suitesAffectedBy(changedSince(rest[1] ?? 'HEAD'), when), chosen: [] };
  return { queue: [{ name: 'chosen', kind: 'units', args: rest, terminal: true }], chosen: rest };
}

main().then(
  (code) => process.exit(code),
  (error) => {
    printFailure(error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
