import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moment.js';

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
    ['a short month', 'Ships Mar 12, 2027', '2027-03-12'],
    ['an ordinal', 'March 12th it is', '2027-03-12'],
    ['an ordinal before its month', 'on the 12th of March', '2027-03-12'],
    ['a weekday with its date', 'Fri Mar 12 at 9am PT', '2027-03-12'],
    ['the first day of a range', 'from March 12-14, 2027', '2027-03-12'],
    ['figures with the day first, when only that lies inside', 'Out 12/3', '2027-03-12'],
    ['figures with the month first, when only that lies inside', 'Out 3/12', '2027-03-12'],
    ['figures with a year', 'Out 3/12/2027', '2027-03-12'],
    ['no weekday alone', 'Out next Friday', '2027-03-10'],
    ['no day counted from another', 'Out in 2 weeks', '2027-03-10'],
    ['no time alone', 'Gates open at 9am. Live 14 March', '2027-03-14'],
    ['no month alone', 'Out in March 2027', '2027-03-10'],
    ['a date after other figures', '2027 20 12.3.2027', '2027-03-12'],
  ])('reads %s', (_name, moment, day) => {
    expect(momentOf(moment, '2027-03-10', '2027-03-31').day).toBe(day);
  });

  it.each([
    ['in its second year', 'on 5 January', '2026-12-20', '2027-01-20', '2027-01-05', '5 January'],
    ['in its first year', 'on 28 December', '2026-12-20', '2027-01-20', '2026-12-28', '28 December'],
    ['in the first of two that fit', 'on 1 March', '2027-03-01', '2028-03-01', '2027-03-01', '1 March'],
    ['in a leap year', 'on 29 February', '2027-12-20', '2028-03-20', '2028-02-29', '29 February'],
    ['not in a year that lacks it', 'on 29 February', '2028-03-01', '2029-03-01', '2028-03-01', null],
  ])('reads a date without a year in a year of the window: %s', (_name, moment, start, end, day, words) => {
    expect(momentOf(moment, start, end)).toEqual({ day, words });
  });

  it('reads figures only when one reading alone lies in the window', () => {
    expect(momentOf('Out 10/12', '2026-10-01', '2026-12-31')).toEqual({ day: '2026-10-01', words: null });
    expect(momentOf('Out 10/12, I mean 12 Nov', '2026-10-01', '2026-12-31').day).toBe('2026-11-12');
    expect(momentOf('24/7 support, from 25 July', '2027-07-01', '2027-07-31').day).toBe('2027-07-25');
    expect(momentOf('Live Sat 24/7', '2027-07-01', '2027-07-31').words).toBe('Sat 24/7');
    expect(momentOf('Live 24/7/2027', '2027-07-01', '2027-07-31').words).toBe('24/7/2027');
  });

  it.each([
    ['without what leads to them', 'We launch on 12th of March!', '12th of March'],
    ['however far that is', 'We launch on  12 March', '12 March'],
    ['with the time between them', 'Fri Mar 12 at 9am', 'Fri Mar 12 at 9am'],
    ['of two that overlap the earlier ones', '12/3 March 12 March', '3 March'],
  ])('keeps the words that name the day, %s', (_name, moment, words) => {
    expect(momentOf(moment, '2027-03-10', '2027-03-31')).toEqual({ day: '2027-03-12', words });
  });

  it('is the window start for a campaign without a moment', () => {
    expect(momentOf(null, '2027-03-10', '2027-03-31')).toEqual({ day: '2027-03-10', words: null });
  });

  it.each([
    ['on the first day of the window', '10 March 2027', '2027-03-10', '10 March 2027'],
    ['on the last day of the window', '31 March 2027', '2027-03-31', '31 March 2027'],
    ['the day after it', '1 April 2027', '2027-03-10', null],
    ['the day before it', '9 March 2027', '2027-03-10', null],
    ['a day that no month has', '31 February 2027', '2027-03-10', null],
  ])('reads %s', (_name, moment, day, words) => {
    expect(momentOf(moment, '2027-03-10', '2027-03-31')).toEqual({ day, words });
  });
});
