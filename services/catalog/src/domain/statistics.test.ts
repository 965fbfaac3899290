import { describe, expect, it } from '@jest/globals';
import { median, percentileIn, roundHalfUp, twoSignificant } from './statistics.js';

describe('statistics of the network', () => {
  it.each([
    [[], null],
    [[3], 3],
    [[9, 1, 5], 5],
    [[1, 2, 3, 10], 2.5],
  ])('the median of %p is %p', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it.each([
    [2.5, 0, 3],
    [1.005, 2, 1.01],
    [1.004, 2, 1],
    [0.45, 1, 0.5],
  ])('%p rounded half up to %p digits is %p', (value, digits, rounded) => {
    expect(roundHalfUp(value, digits)).toBe(rounded);
  });

  it.each([
    [4149, 4100],
    [4150, 4200],
    [99, 99],
    [99.6, 100],
    [7, 7],
    [0.6, 1],
    [123_456, 120_000],
  ])('%p with two significant digits is %p', (value, rounded) => {
    expect(twoSignificant(value)).toBe(rounded);
  });

  it.each([
    [1, 0.125],
    [2, 0.5],
    [3, 0.875],
    [9, 1],
    [0, 0],
  ])('the percentile of %p among 1, 2, 2, 3 is %p', (value, share) => {
    expect(percentileIn([1, 2, 2, 3], value)).toBe(share);
  });
});
