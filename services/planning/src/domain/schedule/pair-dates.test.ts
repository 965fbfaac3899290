import { addDays, daysBetween } from '@cds/service/calendar';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasTwoDays, programDates } from './pair-dates.js';
import { firstDay } from './schedule.js';

const TODAY = '2027-01-01';
const march = { start: '2027-03-01', end: '2027-03-26', momentOffset: 0 };

describe('two posts of one creator (docs/domain/plans.md#dates)', () => {
  it('need two days', () => {
    expect(hasTwoDays(march, TODAY)).toBe(true);
    expect(hasTwoDays({ ...march, end: march.start }, TODAY)).toBe(false);
    expect(hasTwoDays(march, '2027-03-24')).toBe(false);
    expect(hasTwoDays(march, '2027-03-23')).toBe(true);
    expect(hasTwoDays({ ...march, momentOffset: 25 }, TODAY)).toBe(true);
  });

  it('are a third of the window apart among the others, and a week in a short window', () => {
    expect(programDates([2, 1, 1], march, TODAY)).toEqual([
      ['2027-03-01', '2027-03-15'],
      ['2027-03-08'],
      ['2027-03-22'],
    ]);
    expect(programDates([2, 1], { ...march, end: '2027-03-12' }, TODAY)).toEqual([
      ['2027-03-01', '2027-03-09'],
      ['2027-03-04'],
    ]);
  });

  it.each<[string, (1 | 2)[], string, string, string[][]]>([
    ['one on the last day alone', [1], '2027-03-06', '2027-03-08', [['2027-03-08']]],
    ['the earliest of days as empty', [2], '2027-03-01', '2027-03-09', [['2027-03-01', '2027-03-08']]],
    ['a weekday before a weekend as empty', [2], '2027-03-05', '2027-03-13', [['2027-03-05', '2027-03-12']]],
    [
      'others on the days that two posts leave empty',
      [2, 2, 1, 1],
      '2027-03-01',
      '2027-03-04',
      [['2027-03-01', '2027-03-04'], ['2027-03-01', '2027-03-04'], ['2027-03-02'], ['2027-03-03']],
    ],
  ])('take %s', (_name, lines, start, end, dates) => {
    expect(programDates(lines, { start, end, momentOffset: 0 }, TODAY)).toEqual(dates);
  });

  it('count from the first day of the window, wherever its moment is', () => {
    expect(programDates([2, 1], { ...march, momentOffset: 10 }, TODAY)).toEqual(programDates([2, 1], march, TODAY));
  });

  it('are as far apart as a short window allows', () => {
    expect(programDates([2], { ...march, end: '2027-03-03' }, TODAY)).toEqual([['2027-03-01', '2027-03-03']]);
  });

  it('are none when the window is over', () => {
    expect(programDates([2, 1], march, '2027-04-01')).toEqual([]);
  });

  it('are a third of the window and a week apart if the days allow it, with a date for every line and days filled as evenly as possible', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<(1 | 2)[]>(1, 2), { maxLength: 25 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(30),
        (lines, length, ahead) => {
          const start = addDays(TODAY, ahead);
          const window = { start, end: addDays(start, length), momentOffset: 0 };
          fc.pre(hasTwoDays(window, TODAY));
          const first = firstDay('program', window, TODAY);
          const dates = programDates(lines, window, TODAY);
          expect(dates.map((days) => days.length)).toEqual(lines);
          for (const day of dates.flat()) expect(day >= first && day <= window.end).toBe(true);
          const lineDays = dates.flat();
          const onOneDay = lineDays.map((day) => lineDays.filter((one) => one === day).length);
          expect(Math.max(0, ...onOneDay)).toBeLessThanOrEqual(Math.ceil(0.6 * lineDays.length));
          const days = daysBetween(first, window.end) + 1;
          const pairs = lines.filter((one) => one === 2).length;
          const apart = Math.max(7, Math.ceil((length + 1) / 3));
          const atLeast = Math.max(Math.ceil(lineDays.length / days), Math.ceil(pairs / Math.max(1, days - apart)));
          expect(Math.max(0, ...onOneDay)).toBeLessThanOrEqual(atLeast + 1);
          for (const [one, other] of dates.filter((days) => days.length === 2))
            expect(daysBetween(one ?? '', other ?? '')).toBeGreaterThanOrEqual(
              Math.min(apart, daysBetween(first, window.end)),
            );
        },
      ),
      { numRuns: 1_500, seed: 1 },
    );
  });
});
