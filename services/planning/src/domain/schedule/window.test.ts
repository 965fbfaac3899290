import { describe, expect, it } from '@jest/globals';
import { sameDayNextYear, windowProblems } from './window.js';

const TODAY = '2026-11-21';
const problems = (window_start: unknown, window_end: unknown) =>
  windowProblems({ window_start, window_end }, { day: TODAY, sandbox: false }).map((problem) => problem.field);

describe('the window of a campaign (docs/domain/plans.md#campaign-input)', () => {
  it.each([
    ['today alone', TODAY, TODAY, []],
    ['a year to the day', '2027-03-01', '2028-03-01', []],
    ['29 February to the 28th', '2028-02-29', '2029-02-28', []],
    ['29 February to 1 March', '2028-02-29', '2029-03-01', ['window_end']],
    ['a day over a year', '2027-03-01', '2028-03-02', ['window_end']],
    ['yesterday', '2026-11-20', '2026-11-25', ['window_start']],
    ['reversed and past', '2026-11-20', '2026-11-19', ['window_start', 'window_end']],
    ['a year that nobody plans for', '9001-01-01', '9001-02-01', ['window_start']],
    ['the last day that somebody may plan for', '9000-12-31', '9000-12-31', []],
    ['no start', undefined, '2020-01-01', []],
    ['no dates at all', 5, 'x', []],
  ])('%s', (_name, start, end, fields) => {
    expect(problems(start, end)).toEqual(fields);
  });

  it.each([
    ['2026-11-20', false, 'must be today or later; today is 2026-11-21 by UTC'],
    ['2026-11-20', true, "must be today or later; today is 2026-11-21 by this sandbox's clock"],
    ['9500-01-01', true, "must be 9000-12-31 or earlier; today is 2026-11-21 by this sandbox's clock"],
  ])('%s in a sandbox (%s): %s', (window_start, sandbox, message) => {
    expect(windowProblems({ window_start }, { day: TODAY, sandbox })).toEqual([{ field: 'window_start', message }]);
  });

  it('says how long it may be', () => {
    const fields = { window_start: TODAY, window_end: '2026-11-20' };
    const message = 'must be on or after window_start and at most one year after it';
    expect(windowProblems(fields, { day: TODAY, sandbox: false })).toEqual([{ field: 'window_end', message }]);
  });
});

describe('the same day next year', () => {
  it.each([
    ['2027-03-01', '2028-03-01'],
    ['2027-03-29', '2028-03-29'],
    ['2028-02-29', '2029-02-28'],
  ])('of %s is %s', (day, next) => {
    expect(sameDayNextYear(day)).toBe(next);
  });
});
