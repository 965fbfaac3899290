#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { printFailure } from './lib/failure.js';
/**
 * `npm test`: all suites against real engines on free ports, under a Node that Jest works on.
 *
 *   npm test                           every suite, in three lanes
 *   npm test -- services/billing       arguments go to Jest, in one lane
 *   npm test -- --changed [REVISION]   the suites that a change since REVISION (HEAD) can affect
 *
 * A suite that fails runs once more, alone, at the end. If it passes then, the run passes and names it as unsteady:
 * mend its cause. `CDS_UNSTEADY=fail` allows no second run, as every night.
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
  const args = process.argv.slice(2);
  const queue = roomsFor(args);
  if (queue.length === 0) {
    console.log('Nothing that a test covers has changed.');
    console.log(summaryOf([]));
    return 0;
  }
  await prepare(progress);
  if (needsBrowser(args)) {
    await ensureBrowser(progress);
    await ensurePythonClient(progress);
  }
  if (needsStripeMock(args)) await ensureStripeMock(progress);
  progress.text('\n');
  const first = await runLanes({ lanes: args.length > 0 ? LANES.slice(0, 1) : LANES, queue });
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
 * @param {string[]} args
 * @returns {import('./test/rooms.js').Room[]}
 */
function roomsFor(args) {
  if (args.length === 0) return rooms();
  if (args[0] === '--changed') return suitesAffectedBy(changedSince(args[1] ?? 'HEAD'));
  return [{ name: 'chosen', kind: 'units', args, terminal: true }];
}

main().then(
  (code) => process.exit(code),
  (error) => {
    printFailure(error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
