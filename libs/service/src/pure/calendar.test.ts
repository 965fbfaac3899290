import { describe, expect, it } from '@jest/globals';
import { addDays, dayInWords, dayOf, daysBetween, monthInWords } from './calendar.js';

describe('calendar days', () => {
  it.each(['2027-03-12T00:00:00.000Z', '2027-03-12T23:59:59.999Z'])('%s is on 2027-03-12', (at) => {
    expect(dayOf(new Date(at))).toBe('2027-03-12');
  });

  it('add up across months, years, leap days and clock changes', () => {
    expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(addDays('2027-03-14', 1)).toBe('2027-03-15');
  });

  it('count the days from one to another in either direction', () => {
    expect(daysBetween('2027-03-10', '2027-03-31')).toBe(21);
    expect(daysBetween('2027-03-31', '2027-03-10')).toBe(-21);
  });

  it('are shown in words', () => {
    expect(dayInWords('2026-11-21')).toBe('21 November 2026');
    expect(dayInWords('2027-03-02')).toBe('2 March 2027');
    expect(monthInWords('2027-12-31')).toBe('December 2027');
  });
});
