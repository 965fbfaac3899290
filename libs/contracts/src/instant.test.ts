import { describe, expect, test } from '@jest/globals';
import { instantIn, isDay } from './instant.js';

describe('a moment in a text', () => {
  test.each([
    ['2026-12-03T06:00Z', '2026-12-03T06:00:00.000Z'],
    ['2026-12-03T06:00:00.123+01:00', '2026-12-03T05:00:00.123Z'],
    ['2026-12-03T06:00-1130', '2026-12-03T17:30:00.000Z'],
    ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(instantIn(text)?.toISOString()).toBe(moment);
  });

  test.each([
    '2027-02-30T06:00:00Z',
    '2027-02-29T06:00:00Z',
    '2026-04-31T06:00:00Z',
    '2026-13-03T06:00:00Z',
    '2026-12-03T24:00:00Z',
    '2026-12-03T06:60:00Z',
    '2026-12-03T06:00:60Z',
    '2026-12-03T06:00:00+25:00',
    '2026-12-03T06:00:00+2500',
    '2026-12-03T06:00:00+01:60',
    '2026-12-03T06:00:00',
    '2026-12-03',
    '2026-12-03 06:00:00Z',
    ' 2026-12-03T06:00:00Z',
    1_764_741_600_000,
    null,
  ])('%p is none', (value) => {
    expect(instantIn(value)).toBeNull();
  });

  test.each([
    ['2028-02-29', true],
    ['2027-02-29', false],
    ['2026-12-03T06:00:00Z', false],
    ['26-12-03', false],
  ])('whether %s is a day: %s', (text, is) => {
    expect(isDay(text)).toBe(is);
  });
});
