/** Jest's own progress, and how each suite ended, in the file CDS_TEST_REPORT. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type AggregatedResult, DefaultReporter, type TestResult } from '@jest/reporters';
import { REPOSITORY } from '../lib/home.ts';

/** A test, or, as one that failed, a suite that could not run or failed outside its tests. */
export type Test = { name: string; status: string; message: string };
export type Suite = { file: string; tests: Test[] };

export default class SuiteReporter extends DefaultReporter {
  override onRunComplete(_contexts?: unknown, results?: AggregatedResult) {
    super.onRunComplete();
    const report = process.env.CDS_TEST_REPORT;
    if (report && results) writeFileSync(report, JSON.stringify(results.testResults.map(suiteOf)));
    // Jest waits for ever when a test left something open.
    setTimeout(() => process.exit(), 3_000).unref();
  }
}

function suiteOf({ testFilePath, testResults, testExecError, failureMessage }: TestResult): Suite {
  const tests = testResults.map((test) => {
    return { name: test.fullName, status: test.status, message: test.failureMessages.join('\n') };
  });
  const name = tests.length === 0 ? 'could not run' : 'failed outside its tests';
  if (testExecError && tests.every(({ status }) => status !== 'failed'))
    tests.push({ name, status: 'failed', message: failureMessage ?? '' });
  return { file: relative(REPOSITORY, testFilePath), tests };
}
