import { addDays, dayOf, daysBetween } from '@cds/service/calendar';
import { describe, expect, it } from '@jest/globals';
import { daysFrom, isWeekend, monthAndYear } from './days.js';

describe('calendar days', () => {
  it('are UTC days of instants', () => {
    expect(dayOf(new Date('2027-03-12T23:59:59.999Z'))).toBe('2027-03-12');
  });

  it('add and subtract over months, years and leap days', () => {
    expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(daysBetween('2027-03-10', '2027-03-31')).toBe(21);
    expect(daysBetween('2027-03-31', '2027-03-10')).toBe(-21);
  });

  it('list a span with both ends, and nothing when it is reversed', () => {
    expect(daysFrom('2027-02-27', '2027-03-01')).toEqual(['2027-02-27', '2027-02-28', '2027-03-01']);
    expect(daysFrom('2027-03-01', '2027-02-27')).toEqual([]);
  });

  it('know weekends and month names', () => {
    expect([isWeekend('2026-11-21'), isWeekend('2026-11-22'), isWeekend('2026-11-23')]).toEqual([true, true, false]);
    expect(monthAndYear('2027-03-01')).toBe('March 2027');
  });
});
