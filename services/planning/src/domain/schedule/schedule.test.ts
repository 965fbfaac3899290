import { addDays, daysBetween } from '@cds/service/calendar';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWeekend } from '../days.js';
import { datesFor, emptiestDay, firstDay, largestRemainder } from './schedule.js';

const window = { start: '2027-03-10', end: '2027-03-31', momentOffset: 2 };
const counts = (dates: readonly string[]) =>
  Object.fromEntries([...new Set(dates)].sort().map((day) => [day, dates.filter((one) => one === day).length]));

describe('the first day (docs/domain/plans.md#dates)', () => {
  it('is two days ahead at the earliest', () => {
    expect(firstDay('program', window, '2027-03-09')).toBe('2027-03-11');
    expect(firstDay(null, window, '2027-01-01')).toBe('2027-03-10');
  });

  it('falls back to today near the end of the window', () => {
    expect(firstDay('program', window, '2027-03-30')).toBe('2027-03-30');
  });

  it('is never before the moment for launch, funding and feature', () => {
    for (const goal of ['launch', 'funding', 'feature'] as const)
      expect(firstDay(goal, window, '2027-01-01')).toBe('2027-03-12');
    expect(firstDay('launch', window, '2027-03-20')).toBe('2027-03-22');
  });
});

describe('the dates of lines (docs/domain/plans.md#dates)', () => {
  it('put half of a launch on the moment, a quarter on the two days after, then 15% and 10%', () => {
    expect(counts(datesFor('launch', 20, window, '2027-01-01'))).toEqual({
      '2027-03-12': 10,
      '2027-03-13': 3,
      '2027-03-14': 2,
      '2027-03-15': 1,
      '2027-03-16': 1,
      '2027-03-17': 1,
      '2027-03-19': 1,
      '2027-03-20': 1,
    });
  });

  it('leave nothing after a week for funding', () => {
    const dates = datesFor('funding', 20, window, '2027-01-01');
    expect(dates.filter((day) => day === '2027-03-12')).toHaveLength(12);
    expect(dates.filter((day) => day > '2027-03-18')).toEqual([]);
  });

  it('start at the first day when the moment lies before it', () => {
    expect(datesFor('launch', 2, window, '2027-03-20')[0]).toBe('2027-03-22');
  });

  it('spread a program evenly over weekdays', () => {
    const dates = datesFor('program', 4, window, '2027-01-01');
    expect(dates).toEqual(['2027-03-10', '2027-03-16', '2027-03-22', '2027-03-26']);
    expect(dates.filter(isWeekend)).toEqual([]);
  });

  it('use the weekend of a program once every weekday has a line, and as evenly as the days allow', () => {
    const week = { start: '2027-03-12', end: '2027-03-18', momentOffset: 0 };
    const friday = { start: '2027-03-12', end: '2027-03-14', momentOffset: 0 };
    expect(datesFor('program', 5, week, '2027-01-01').filter(isWeekend)).toEqual([]);
    expect(counts(datesFor('program', 6, week, '2027-01-01'))).toMatchObject({ '2027-03-12': 1, '2027-03-13': 1 });
    expect(datesFor('program', 5, friday, '2027-01-01')).toEqual([
      '2027-03-12',
      '2027-03-12',
      '2027-03-13',
      '2027-03-13',
      '2027-03-14',
    ]);
  });

  it('keep at most six in ten on one day while other days exist', () => {
    const narrow = { start: '2027-03-10', end: '2027-03-11', momentOffset: 0 };
    expect(counts(datesFor('launch', 10, narrow, '2027-01-01'))).toEqual({ '2027-03-10': 6, '2027-03-11': 4 });
  });

  it('use the one day that a window has', () => {
    expect(datesFor('launch', 3, { start: '2027-03-10', end: '2027-03-10', momentOffset: 0 }, '2027-01-01')).toEqual([
      '2027-03-10',
      '2027-03-10',
      '2027-03-10',
    ]);
  });

  it('are none when the window is over', () => {
    expect(datesFor('launch', 3, window, '2027-04-01')).toEqual([]);
  });

  it('stay in the window, never before the first day, one for each line', () => {
    const goals = fc.constantFrom('launch', 'funding', 'feature', 'program' as const);
    fc.assert(
      fc.property(goals, fc.nat(40), fc.nat(60), fc.nat(60), fc.nat(60), (goal, count, ahead, length, offset) => {
        const today = '2027-01-01';
        const start = addDays(today, ahead);
        const some = { start, end: addDays(start, length), momentOffset: Math.min(offset, length) };
        const dates = datesFor(goal, count, some, today);
        expect(dates).toHaveLength(count);
        for (const date of dates) {
          expect(date >= firstDay(goal, some, today)).toBe(true);
          expect(date <= some.end).toBe(true);
        }
        const most = Math.max(0, ...Object.values(counts(dates)));
        if (firstDay(goal, some, today) < some.end) expect(most).toBeLessThanOrEqual(Math.ceil(0.6 * count));
        if (goal === 'program')
          expect(most).toBe(Math.ceil(count / (daysBetween(firstDay(goal, some, today), some.end) + 1)));
      }),
    );
  });
});

describe('the emptiest day', () => {
  it('is the one with the fewest lines, then the earliest', () => {
    expect(emptiestDay(['2027-03-10', '2027-03-10', '2027-03-11'], '2027-03-10', '2027-03-12')).toBe('2027-03-12');
    expect(emptiestDay([], '2027-03-10', '2027-03-12')).toBe('2027-03-10');
    expect(emptiestDay([], '2027-03-13', '2027-03-12')).toBeNull();
  });
});

describe('largest remainder', () => {
  it('deals out everything, whole parts first, then the largest remainders', () => {
    expect(largestRemainder([50, 25, 15, 10], 3)).toEqual([2, 1, 0, 0]);
    expect(largestRemainder([30, 30, 25, 15], 5)).toEqual([2, 1, 1, 1]);
    expect(largestRemainder([50, 25], 0)).toEqual([0, 0]);
    expect(largestRemainder([1, 1, 1, 1, 1], 3)).toEqual([1, 1, 1, 0, 0]);
  });
});
