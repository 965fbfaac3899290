import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../tools/lib/home.js';
import {
  afterSecondRun,
  failuresOf,
  type JestReport,
  suitesOf,
  suitesToRepeat,
  summaryOf,
  unsteadyLine,
} from '../../tools/test/report.js';

type Ended = JestReport['testResults'][number];

const ended = (file: string, ...statuses: string[]): Ended => ({
  name: join(REPOSITORY, file),
  startTime: 0,
  endTime: 1,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({
    fullName: `test ${at}`,
    status,
    failureMessages: status === 'failed' ? ['\u001b[31mExpected: 1\u001b[39m\n  Received: 2\n    at b.test.ts:3'] : [],
  })),
});
const outside: Ended = { ...ended('c.test.ts', 'passed'), status: 'failed', message: 'afterAll failed' };
const ran = (code: number, ...testResults: Ended[]) => suitesOf(code, { testResults }, 'a room', 'units');
const died = suitesOf(137, undefined, 'b.test.ts', 'units');

/** What `npm test` prints of two runs. */
const end = (first: ReturnType<typeof ran>, again: ReturnType<typeof ran>) => {
  const { suites, unsteady } = afterSecondRun(first, again);
  return [...unsteady.map(unsteadyLine), summaryOf(suites)];
};

const steady = ended('a.test.ts', 'passed', 'pending');
const failing = ended('b.test.ts', 'passed', 'failed');
const passing = ran(0, ended('b.test.ts', 'passed', 'passed'));
const UNSTEADY = 'unsteady: b.test.ts: test 1: Expected: 1 Received: 2';

it.each([
  ['that failed and passes alone', ran(1, steady, failing), passing, [UNSTEADY, '3 passed, 0 failed, 1 skipped']],
  ['that fails again', ran(1, steady, failing), ran(1, failing), ['2 passed, 1 failed, 1 skipped']],
  ['that dies when it runs again', ran(1, failing), died, ['1 passed, 1 failed']],
  ['that may not run again', ran(1, failing), [], ['1 passed, 1 failed']],
  [
    'that failed outside its tests and passes alone',
    ran(1, outside),
    ran(0, ended('c.test.ts', 'passed')),
    ['unsteady: c.test.ts: failed outside its tests: afterAll failed', '1 passed, 0 failed'],
  ],
  [
    'that passes alone beside one that fails twice',
    ran(1, failing, ended('e.test.ts', 'failed')),
    [...passing, ...ran(1, ended('e.test.ts', 'failed'))],
    [UNSTEADY, '2 passed, 1 failed'],
  ],
  [
    'that passes alone after a Jest died',
    [...ran(1, failing), ...suitesOf(1, undefined, 'libs/', 'units')],
    passing,
    [UNSTEADY, '2 passed, 1 failed'],
  ],
])('a run with a suite %s ends with its unsteady suites and its counts', (_what, first, again, lines) => {
  const suites = afterSecondRun(first, again).suites;
  expect(end(first, again)).toEqual(lines);
  expect(suites.some((suite) => failuresOf(suite).length > 0)).toBe(!/ 0 failed/.test(lines.at(-1) ?? ''));
});

describe('the suites that run again', () => {
  it('are those that failed, each in its lane', () => {
    expect(suitesToRepeat(ran(1, steady, failing, outside))).toMatchObject([
      { lane: 'units', file: 'b.test.ts' },
      { lane: 'units', file: 'c.test.ts' },
    ]);
    expect(suitesToRepeat(suitesOf(1, undefined, 'services/billing/', 'units'))).toEqual([]);
  });

  it('are none when more than ten failed: that is one defect', () => {
    const many = Array.from({ length: 11 }, (_, at) => ended(`${at}.test.ts`, 'failed'));
    expect(suitesToRepeat(ran(1, ...many))).toEqual([]);
    expect(suitesToRepeat(ran(1, ...many.slice(1)))).toHaveLength(10);
  });
});
