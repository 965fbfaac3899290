/** What suites ended with, by the reports of Jest, and what running those that failed once more makes of it. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { REPOSITORY } from '../lib/home.ts';

/** A test, or, as one that failed, a suite that could not run or failed outside its tests. */
export type Test = { name: string; status: string; message: string };
/** How a suite ended in a lane. A Jest that died, or failed without a failed suite, counts as a failed suite. */
export type Suite = { file: string; lane: string; ms: number; tests: Test[] };
export type JestReport = {
  success: boolean;
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

const SLOWEST = 10;
/** Lines of a failure that are repeated at the end of a run: enough for the assertion and most of its difference. */
const MESSAGE_LINES = 30;
/** Enough of a failure to know it again. */
const MESSAGE_CHARACTERS = 300;
/** So many suites do not fail by chance: more of them are one defect, and a second run would only take time. */
const MOST_AGAIN = 10;

export const failuresOf = ({ tests }: Suite) => tests.filter(({ status }) => status === 'failed');

/** The suites of one Jest, by its exit code and its report. */
export function suitesOf(code: number, report: JestReport | undefined, room: string, lane: string): Suite[] {
  const suites = (report?.testResults ?? []).map(({ name, startTime, endTime, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => {
      return { name: test.fullName, status: test.status, message: test.failureMessages.join('\n') };
    });
    const suite = { file: relative(REPOSITORY, name), lane, ms: endTime - startTime, tests };
    if (status === 'failed' && failuresOf(suite).length === 0)
      tests.push({ name: tests.length === 0 ? 'could not run' : 'failed outside its tests', status, message });
    return suite;
  });
  if (report !== undefined && (code === 0 || suites.some((suite) => failuresOf(suite).length > 0))) return suites;
  const died = { name: 'Jest', status: 'failed', message: `ended with ${code}` };
  return [...suites, { file: room, lane, ms: 0, tests: [died] }];
}

/** The suites to run again, each in the lane in which it failed, whose time zone may be the cause. */
export function suitesToRepeat(suites: readonly Suite[]): Suite[] {
  const failed = suites.filter((suite) => failuresOf(suite).length > 0);
  return failed.length > MOST_AGAIN ? [] : failed.filter(({ file }) => file.endsWith('.test.ts'));
}

/** Puts suites that passed alone in the place of their first run. One that failed again keeps its first failures. */
export function afterSecondRun(first: readonly Suite[], again: readonly Suite[]) {
  const failedAgain = again.filter((suite) => failuresOf(suite).length > 0).map(({ file }) => file);
  const passed = new Map(again.filter(({ file }) => !failedAgain.includes(file)).map((suite) => [suite.file, suite]));
  const suites = first.map((suite) => (failuresOf(suite).length > 0 ? (passed.get(suite.file) ?? suite) : suite));
  return { suites, unsteady: first.filter((suite, at) => suite !== suites[at]) };
}

/** A line for a suite that failed and then passed alone, with its first failure. */
export function unsteadyLine(suite: Suite) {
  const [first] = failuresOf(suite);
  const [text = ''] = stripVTControlCharacters(first?.message ?? '').split(/\n\s+at /);
  return `unsteady: ${suite.file}: ${first?.name}: ${text.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_CHARACTERS)}`;
}

export function summaryOf(suites: readonly Suite[]) {
  const tests = suites.flatMap((suite) => suite.tests);
  const [passed, failed] = ['passed', 'failed'].map((one) => tests.filter(({ status }) => status === one).length);
  const skipped = tests.length - passed - failed;
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The suites that took longest, how long each lane was busy, and every failure again. */
export function printEnd(suites: readonly Suite[]) {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(8)} s`;
  console.log(`\nThe ${SLOWEST} slowest of ${suites.length} suites`);
  const slowest = [...suites].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  for (const { file, ms } of slowest) console.log(`${seconds(ms)}  ${file}`);
  for (const [lane, own] of Map.groupBy(suites, ({ lane }) => lane))
    console.log(`${seconds(own.reduce((total, { ms }) => total + ms, 0))}  lane ${lane}`);
  for (const suite of suites)
    for (const { name, message } of failuresOf(suite)) {
      const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
      console.log(`\nFailed: ${suite.file}\n  ${name}\n${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}`);
    }
}
