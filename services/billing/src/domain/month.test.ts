import { describe, expect, it } from '@jest/globals';
import { monthOf } from './month.js';

describe('monthOf: the UTC month of approved_at', () => {
  it.each([
    ['the last millisecond of a month', '2026-11-30T23:59:59.999Z', '2026-11'],
    ['the first instant of the next', '2026-12-01T00:00:00.000Z', '2026-12'],
    ['another zone that is still in November', '2026-11-30T20:00:00-05:00', '2026-12'],
    ['the turn of the year', '2027-01-01T00:00:00Z', '2027-01'],
  ])('%s', (_name, at, month) => {
    expect(monthOf(new Date(at))).toBe(month);
  });
});
