import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const BUILT = join(import.meta.dirname, '../../../dist/domain');
const CALENDAR = join(import.meta.dirname, '../../../../../libs/service/dist/pure/calendar.js');

/** What the built rules answer in a process in this time zone. */
const answersIn = (zone: string): Record<string, unknown> => {
  const script = `
    const { dayOf, addDays, monthInWords } = await import(${JSON.stringify(CALENDAR)});
    const { daysFrom, isWeekend } = await import(${JSON.stringify(`${BUILT}/days.js`)});
    const { datesFor } = await import(${JSON.stringify(`${BUILT}/schedule/schedule.js`)});
    const window = { start: '2027-03-12', end: '2027-03-18', momentOffset: 0 };
    console.log(JSON.stringify({
      offset: new Date('2027-03-13T00:00:00.000Z').getTimezoneOffset(),
      weekends: daysFrom('2027-03-12', '2027-03-16').filter(isWeekend),
      program: datesFor('program', 5, window, '2027-01-01'),
      edges: ['2027-03-12T00:00:00.000Z', '2027-03-12T23:59:59.999Z'].map((at) => dayOf(new Date(at))),
      clockChanges: ['2027-03-14', '2027-11-07'].map((day) => addDays(day, 1)),
      month: monthInWords('2027-03-01'),
    }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TZ: zone },
  });
  return JSON.parse(said) as Record<string, unknown>;
};

/** Days are UTC days in every time zone: west of UTC the midnight of a day is still the day before. */
describe('calendar days in the time zone of the machine (docs/domain/plans.md#dates)', () => {
  it.each([
    ['UTC', 0],
    ['America/Los_Angeles', 480],
    ['Pacific/Pago_Pago', 660],
    ['Pacific/Kiritimati', -840],
  ])('%s changes no day, weekday or month', (zone, offset) => {
    expect(answersIn(zone)).toEqual({
      offset,
      weekends: ['2027-03-13', '2027-03-14'],
      program: ['2027-03-12', '2027-03-15', '2027-03-16', '2027-03-17', '2027-03-18'],
      edges: ['2027-03-12', '2027-03-12'],
      clockChanges: ['2027-03-15', '2027-11-08'],
      month: 'March 2027',
    });
  });
});
