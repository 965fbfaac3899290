import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { REPOSITORY } from '../../tools/lib/home.js';
import { type JestReport, resultOf, summaryOf } from '../../tools/test/report.js';
import { afterSecondRun, printUnsteady, suitesToRepeat } from '../../tools/test/second-run.js';

type Suite = JestReport['testResults'][number];

const suite = (file: string, ...statuses: string[]): Suite => ({
  name: join(REPOSITORY, file),
  startTime: 0,
  endTime: 1,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({
    fullName: `test ${at}`,
    status,
    failureMessages: status === 'failed' ? ['Expected: 1\n  Received: 2'] : [],
  })),
});
const ended = (code: number, ...testResults: Suite[]) => ({
  ...resultOf(code, { success: code === 0, testResults }),
  lane: 'units',
  ms: 1,
});
const died = { ...resultOf(1, undefined), lane: 'units', ms: 1 };
const ending = ({ ends, unsteady }: ReturnType<typeof afterSecondRun>) => ({
  line: summaryOf(ends),
  code: ends.every(({ code }) => code === 0) ? 0 : 1,
  unsteady: unsteady.map(({ file, name }) => `${file}: ${name}`),
});

const steady = suite('a.test.ts', 'passed', 'pending');
const failing = suite('b.test.ts', 'passed', 'failed', 'failed');
const outside: Suite = { ...suite('c.test.ts', 'passed'), status: 'failed', message: 'afterAll failed' };

describe('a suite that failed', () => {
  const first = [ended(1, steady, failing), ended(0, suite('d.test.ts', 'passed'))];

  it('runs once more, in its lane', () => {
    expect(suitesToRepeat(first)).toEqual([{ lane: 'units', file: 'b.test.ts' }]);
    expect(suitesToRepeat([ended(1, outside)])).toEqual([{ lane: 'units', file: 'c.test.ts' }]);
    expect(suitesToRepeat([ended(0, steady)])).toEqual([]);
  });

  it('and passes alone leaves a run that passes and names it', () => {
    const again = [ended(0, suite('b.test.ts', 'passed', 'passed', 'passed'))];
    expect(ending(afterSecondRun(first, again))).toEqual({
      line: '5 passed, 0 failed, 1 skipped',
      code: 0,
      unsteady: ['b.test.ts: test 1'],
    });
  });

  it('and fails again leaves a run that fails with its first failures', () => {
    const after = afterSecondRun(first, [ended(1, suite('b.test.ts', 'passed', 'passed', 'failed'))]);
    expect(ending(after)).toEqual({ line: '3 passed, 2 failed, 1 skipped', code: 1, unsteady: [] });
    expect(after.ends.flatMap(({ failures }) => failures.map(({ name }) => name))).toEqual(['test 1', 'test 2']);
  });

  it('and dies when it runs again leaves a run that fails', () => {
    expect(ending(afterSecondRun(first, [died]))).toMatchObject({ code: 1, unsteady: [] });
  });

  it('outside its tests, as in afterAll, counts as one failure and is repeated too', () => {
    const once = [ended(1, outside)];
    expect(summaryOf(once)).toBe('1 passed, 1 failed');
    expect(ending(afterSecondRun(once, [ended(0, suite('c.test.ts', 'passed'))]))).toEqual({
      line: '1 passed, 0 failed',
      code: 0,
      unsteady: ['c.test.ts: failed outside its tests'],
    });
  });

  it('beside one that fails twice leaves a run that fails, and both are named', () => {
    const once = [ended(1, failing, suite('e.test.ts', 'failed'))];
    const again = [ended(0, suite('b.test.ts', 'passed', 'passed', 'passed')), ended(1, suite('e.test.ts', 'failed'))];
    expect(ending(afterSecondRun(once, again))).toEqual({
      line: '3 passed, 1 failed',
      code: 1,
      unsteady: ['b.test.ts: test 1'],
    });
  });

  it('among more than ten is one defect, and none of them runs again', () => {
    const many = Array.from({ length: 11 }, (_, at) => suite(`${at}.test.ts`, 'failed'));
    expect(suitesToRepeat([ended(1, ...many)])).toEqual([]);
    expect(suitesToRepeat([ended(1, ...many.slice(1))])).toHaveLength(10);
  });
});

it('a Jest that died fails the run, whatever passes alone', () => {
  const again = [ended(0, suite('b.test.ts', 'passed', 'passed', 'passed'))];
  expect(ending(afterSecondRun([ended(1, failing), died], again))).toMatchObject({
    line: '3 passed, 1 failed',
    code: 1,
  });
});

it('an unsteady suite is one line with its first failure', () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    printUnsteady([
      {
        file: 'b.test.ts',
        name: 'adds up',
        message: '\u001b[31mExpected: 1\u001b[39m\n  Received: 2\n    at b.test.ts:3',
      },
    ]);
    expect(log.mock.calls).toEqual([['unsteady: b.test.ts: adds up: Expected: 1 Received: 2']]);
  } finally {
    log.mockRestore();
  }
});
