import { describe, expect, it } from '@jest/globals';
import { daysFrom, isWeekend, monthAndYear } from './days.js';

describe('calendar days', () => {
  it('list a span with both ends, and nothing when it is turned around', () => {
    expect(daysFrom('2027-02-27', '2027-03-01')).toEqual(['2027-02-27', '2027-02-28', '2027-03-01']);
    expect(daysFrom('2027-03-01', '2027-02-27')).toEqual([]);
  });

  it('know weekends and month names', () => {
    expect([isWeekend('2026-11-21'), isWeekend('2026-11-22'), isWeekend('2026-11-23')]).toEqual([true, true, false]);
    expect(monthAndYear('2027-03-01')).toBe('March 2027');
  });
});
