import { describe, expect, test } from '@jest/globals';
import { ago, daysUntil, dollars, moment, plural } from './format.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('values on a page', () => {
  test.each([
    ['2026-11-22T11:59:01.000Z', 'just now'],
    ['2026-11-22T11:59:00.000Z', '1 minute ago'],
    ['2026-11-22T11:00:01.000Z', '59 minutes ago'],
    ['2026-11-22T11:00:00.000Z', '1 hour ago'],
    ['2026-11-21T12:00:00.000Z', '1 day ago'],
    ['2026-10-23T12:00:00.001Z', '29 days ago'],
    ['2026-10-23T12:00:00.000Z', '23 October 2026'],
    ['2026-11-22T12:00:05.000Z', 'just now'],
  ])('%s was %s', (at, words) => {
    expect(ago(at, NOW)).toBe(words);
  });

  test.each([
    ['2026-11-22T12:00:00.001Z', 1],
    ['2026-11-22T12:00:00.000Z', 0],
    ['2026-11-24T11:00:00.000Z', 2],
  ])('%s is in %i days', (at, days) => {
    expect(daysUntil(at, NOW)).toBe(days);
  });

  test.each([
    [1_230_000, '$12,300'],
    [1_230_050, '$12,300.50'],
    [0, '$0'],
  ])('%i cents are %s', (cents, text) => {
    expect(dollars(cents)).toBe(text);
  });

  test('counts and moments are written out', () => {
    expect([plural(1, 'key'), plural(1_000, 'key')]).toEqual(['1 key', '1,000 keys']);
    expect(moment('2026-11-28T14:03:09.000Z')).toBe('28 Nov 2026, 14:03:09 UTC');
  });
});
