/** What running failed suites once more, alone, makes of a run. */
import { stripVTControlCharacters } from 'node:util';
import { countsOf } from './report.js';

/**
 * @typedef {import('./report.js').RoomResult} RoomResult
 * @typedef {import('./report.js').Failure} Failure
 */

/** So many suites do not fail by chance: more of them are one defect, and a second run would only take time. */
const MOST = 10;

/**
 * The suites to run again, each in the lane in which it failed, whose time zone may be the cause.
 * @param {readonly RoomResult[]} ends
 * @returns {{ lane: string, file: string }[]} none when too many failed
 */
export function suitesToRepeat(ends) {
  const failed = ends.flatMap(({ lane, suites }) =>
    suites.filter((suite) => suite.failed > 0).map(({ file }) => ({ lane, file })),
  );
  return failed.length > MOST ? [] : failed;
}

/**
 * Puts a suite that passed alone in the place of its first run. One that failed again keeps its first failure. A
 * Jest that died belongs to no suite, so its room stays failed.
 * @param {readonly RoomResult[]} ends
 * @param {readonly RoomResult[]} again one for each suite that ran again
 * @returns {{ ends: RoomResult[], unsteady: Failure[] }} `unsteady` has the first failure of each suite that passed
 */
export function afterSecondRun(ends, again) {
  const passed = new Map(
    again.filter(({ code }) => code === 0).flatMap(({ suites }) => suites.map((suite) => [suite.file, suite])),
  );
  const unsteady = ends
    .flatMap(({ failures }) => failures)
    .filter(({ file }, at, all) => passed.has(file) && all.findIndex((other) => other.file === file) === at);
  return { ends: ends.map((end) => recovered(end, passed)), unsteady };
}

/**
 * @param {RoomResult} end
 * @param {ReadonlyMap<string, import('./report.js').Suite>} passed
 * @returns {RoomResult}
 */
function recovered(end, passed) {
  const suites = end.suites.map((suite) => (suite.failed > 0 ? (passed.get(suite.file) ?? suite) : suite));
  if (suites.every((suite, at) => suite === end.suites[at])) return end;
  const counts = countsOf(suites);
  const failures = end.failures.filter(({ file }) => !passed.has(file));
  return { ...end, ...counts, code: counts.failed === 0 ? 0 : end.code, suites, failures };
}

/** Enough of a failure to know it again. */
const MESSAGE = 300;

/**
 * A line for each suite that failed and then passed alone, with its first failure.
 * @param {readonly Failure[]} unsteady
 */
export function printUnsteady(unsteady) {
  for (const { file, name, message } of unsteady) {
    const [text = ''] = stripVTControlCharacters(message).split(/\n\s+at /);
    console.log(`unsteady: ${file}: ${name}: ${text.replaceAll(/\s+/g, ' ').slice(0, MESSAGE)}`);
  }
}
