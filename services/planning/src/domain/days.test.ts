import { describe, expect, it } from '@jest/globals';
import { daysFrom, isWeekend } from './days.js';

describe('calendar days', () => {
  it('list a span with both ends, and nothing when it is reversed', () => {
    expect(daysFrom('2027-02-27', '2027-03-01')).toEqual(['2027-02-27', '2027-02-28', '2027-03-01']);
    expect(daysFrom('2027-03-01', '2027-02-27')).toEqual([]);
  });

  it('know weekends', () => {
    expect([isWeekend('2026-11-21'), isWeekend('2026-11-22'), isWeekend('2026-11-23')]).toEqual([true, true, false]);
  });
});
