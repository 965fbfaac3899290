/** What suites ended with, by the reports of Jest, and what running those that failed once more makes of it. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { REPOSITORY } from '../lib/home.ts';

/** A failed test; also a suite that could not run, or failed outside its tests. */
export type Failure = { name: string; message: string };
/** How a suite ended in a lane. A Jest that died, or failed without a failed suite, counts as a failed suite. */
export type Suite = {
  file: string;
  lane: string;
  ms: number;
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
};
export type JestReport = {
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

/** The suites of one Jest, by its exit code and its report. */
export function suitesOf(code: number, report: JestReport | undefined, room: string, lane: string): Suite[] {
  const suites = (report?.testResults ?? []).map((one): Suite => {
    const { name, startTime, endTime, status, message, assertionResults: tests } = one;
    const passed = tests.filter((test) => test.status === 'passed').length;
    const failures = tests
      .filter((test) => test.status === 'failed')
      .map((test) => ({ name: test.fullName, message: test.failureMessages.join('\n') }));
    const skipped = tests.length - passed - failures.length;
    if (failures.length === 0 && status === 'failed')
      failures.push({ name: tests.length === 0 ? 'could not run' : 'failed outside its tests', message });
    const file = relative(REPOSITORY, name);
    return { file, lane, ms: endTime - startTime, passed, failed: failures.length, skipped, failures };
  });
  if (report !== undefined && (code === 0 || suites.some(({ failed }) => failed > 0))) return suites;
  const died = { name: 'Jest', message: `ended with ${code}` };
  return [...suites, { file: room, lane, ms: 0, passed: 0, failed: 1, skipped: 0, failures: [died] }];
}

/** The suites to run again, each in the lane in which it failed, whose time zone may be the cause. */
export function suitesToRepeat(suites: readonly Suite[]): Suite[] {
  const failed = suites.filter((suite) => suite.failed > 0);
  return failed.length > MOST_AGAIN ? [] : failed.filter(({ file }) => file.endsWith('.test.ts'));
}

/** Puts suites that passed alone in the place of their first run. One that failed again keeps its first failures. */
export function afterSecondRun(first: readonly Suite[], again: readonly Suite[]) {
  const failedAgain = again.filter(({ failed }) => failed > 0).map(({ file }) => file);
  const passed = new Map(again.filter(({ file }) => !failedAgain.includes(file)).map((suite) => [suite.file, suite]));
  const suites = first.map((suite) => (suite.failed > 0 ? (passed.get(suite.file) ?? suite) : suite));
  return { suites, unsteady: first.filter((suite, at) => suite !== suites[at]) };
}

/** A line for a suite that failed and then passed alone, with its first failure. */
export function unsteadyLine({ file, failures: [first] }: Suite) {
  const [text = ''] = stripVTControlCharacters(first?.message ?? '').split(/\n\s+at /);
  return `unsteady: ${file}: ${first?.name}: ${text.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_CHARACTERS)}`;
}

/** `N passed, N failed` over all suites. */
export function summaryOf(suites: readonly Suite[]) {
  const sum = (count: 'passed' | 'failed' | 'skipped') => suites.reduce((total, suite) => total + suite[count], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`;
}

/** The suites that took longest, how long each lane was busy, and every failure again. */
export function printEnd(suites: readonly Suite[]) {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(8)} s`;
  console.log(`\nThe ${SLOWEST} slowest of ${suites.length} suites`);
  const slowest = [...suites].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  for (const { file, ms } of slowest) console.log(`${seconds(ms)}  ${file}`);
  for (const [lane, own] of Map.groupBy(suites, ({ lane }) => lane))
    console.log(`${seconds(own.reduce((total, { ms }) => total + ms, 0))}  lane ${lane}`);
  for (const { file, failures } of suites)
    for (const { name, message } of failures) {
      const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
      console.log(`\nFailed: ${file}\n  ${name}\n${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}`);
    }
}
