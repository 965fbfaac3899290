import { describe, expect, it } from '@jest/globals';
import { momentDay } from './moment.js';

describe('the moment day (docs/domain/plans.md#dates)', () => {
  it.each([
    ['an ISO date', 'Goes live 2027-03-12 at noon', '2027-03-12'],
    ['a day before its month', 'We launch on 12 March 2027.', '2027-03-12'],
    ['a month before its day', 'Launching March 12, 2027!', '2027-03-12'],
    ['a date without a year, the first that fits', 'on 12 March', '2027-03-12'],
    ['a month first and no year', 'on march 12 we open', '2027-03-12'],
    [
      'the first date inside the window, not the first written',
      'Beta 1 January 2027, live 15 March 2027',
      '2027-03-15',
    ],
    ['the first of two inside', '14 March 2027, then 12 March 2027', '2027-03-14'],
    ['the window start when a named year does not fit', '12 March 2028', '2027-03-10'],
    ['the window start when the date does not exist', '2027-03-32', '2027-03-10'],
    ['a date with its time', 'Live 2027-03-12T09:00Z', '2027-03-12'],
    ['no date from a longer number', 'Part 2027-03-123', '2027-03-10'],
    ['the window start without a date', 'Some time in spring', '2027-03-10'],
  ])('reads %s', (_name, moment, day) => {
    expect(momentDay(moment, '2027-03-10', '2027-03-31')).toBe(day);
  });

  it('reads a date without a year in a year of the window', () => {
    expect(momentDay('on 5 January', '2026-12-20', '2027-01-20')).toBe('2027-01-05');
  });

  it('is the window start for a campaign without a moment', () => {
    expect(momentDay(null, '2027-03-10', '2027-03-31')).toBe('2027-03-10');
  });
});
