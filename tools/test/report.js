/** What the Jest reports of a run add up to. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { REPOSITORY } from '../lib/home.js';

/**
 * @typedef {{ file: string, ms: number, passed: number, failed: number, skipped: number }} Suite
 * @typedef {{ file: string, name: string, message: string }} Failure a failed test, or a suite that could not run
 * @typedef {{
 *   code: number,
 *   passed: number,
 *   failed: number,
 *   skipped: number,
 *   suites: Suite[],
 *   failures: Failure[],
 * }} Result
 * @typedef {Result & { lane: string, ms: number }} RoomResult
 * @typedef {{
 *   success: boolean,
 *   testResults: {
 *     name: string,
 *     startTime: number,
 *     endTime: number,
 *     status: string,
 *     message: string,
 *     assertionResults: { fullName: string, status: string, failureMessages: string[] }[],
 *   }[],
 * }} JestReport
 */

const SLOWEST = 10;
/** Lines of a failure that are repeated at the end of a run: enough for the assertion and most of its difference. */
const MESSAGE_LINES = 30;

/**
 * The result of one Jest: its exit code, its counts, and how long each suite took. No report counts as one failure.
 * @param {number} code
 * @param {JestReport | undefined} report
 * @returns {Result}
 */
export function resultOf(code, report) {
  if (!report) return { code: code || 1, passed: 0, failed: 1, skipped: 0, suites: [], failures: [] };
  const suites = report.testResults.map(suiteOf);
  return { code, ...countsOf(suites), suites, failures: report.testResults.flatMap(failuresOf) };
}

/**
 * What the counts of suites add up to.
 * @param {readonly Suite[]} suites
 */
export function countsOf(suites) {
  /** @param {'passed' | 'failed' | 'skipped'} count */
  const sum = (count) => suites.reduce((total, suite) => total + suite[count], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/**
 * A suite that could not run, or failed outside its tests, counts as one failure.
 * @param {JestReport['testResults'][number]} suite
 * @returns {Suite}
 */
function suiteOf({ name, startTime, endTime, assertionResults, status }) {
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  return {
    file: relative(REPOSITORY, name),
    ms: endTime - startTime,
    passed,
    failed: failed === 0 && status === 'failed' ? 1 : failed,
    skipped: assertionResults.length - passed - failed,
  };
}

/**
 * @param {JestReport['testResults'][number]} suite
 * @returns {Failure[]}
 */
function failuresOf({ name, message, assertionResults, status }) {
  const file = relative(REPOSITORY, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length > 0)
    return failed.map((test) => ({ file, name: test.fullName, message: test.failureMessages.join('\n') }));
  if (status !== 'failed') return [];
  const what = assertionResults.length === 0 ? 'could not run' : 'failed outside its tests';
  return [{ file, name: what, message }];
}

/**
 * `N passed, N failed` over all results.
 * @param {readonly Result[]} results
 */
export function summaryOf(results) {
  /** @param {'passed' | 'failed' | 'skipped'} count */
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Repeats every failure, so that the end of a long run says what failed and why.
 * @param {readonly RoomResult[]} results
 */
export function printFailures(results) {
  const failures = results.flatMap((result) => result.failures);
  if (failures.length === 0) return;
  console.log(`\nFailed: ${failures.length}`);
  for (const { file, name, message } of failures) {
    const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
    console.log(`\n${file}\n  ${name}\n${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}`);
  }
}

/**
 * Says which suites took longest, and how long each lane was busy.
 * @param {readonly RoomResult[]} results
 */
export function printSlowest(results) {
  const suites = results.flatMap((result) => result.suites).sort((a, b) => b.ms - a.ms);
  console.log(`\nThe ${SLOWEST} slowest of ${suites.length} suites`);
  for (const { file, ms } of suites.slice(0, SLOWEST)) console.log(`${seconds(ms)}  ${file}`);
  for (const [lane, ended] of Map.groupBy(results, (result) => result.lane))
    console.log(`${seconds(ended.reduce((total, { ms }) => total + ms, 0))}  lane ${lane}`);
  console.log('');
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1_000).toFixed(1).padStart(8)} s`;
